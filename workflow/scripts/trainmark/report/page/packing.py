"""Text compressed for a page, which the browser unpacks (unpack.js)."""

import base64
import gzip


def packed(content: str | bytes) -> str:
    """The content (text as UTF-8) compressed by gzip, in base64."""
    plain = content if isinstance(content, bytes) else content.encode()
    return base64.b64encode(gzip.compress(plain, mtime=0)).decode()
