"""Writing the images of a listing, resumed where an earlier attempt was interrupted."""

from collections import Counter
from pathlib import Path
from types import ModuleType

from trainmark.data.read.images import Listing
from trainmark.data.write import lines
from trainmark.data.write.encoded import ODD, prepared
from trainmark.data.write.progress import shown


def write(
    listing: Listing, short_side: int | None, writer: ModuleType, path: Path
) -> tuple[dict[str, int], str | None]:
    """Write the images of a listing that `path` lacks, and count the odd ones of all.

    Also return the digest of the stored bytes, where the writer has computed it.

    A file beside the folder of `path` tells of each odd image before it is written, so that an
    interruption loses none. Raises DataError for an image that can't be decoded, and OSError.
    """
    odd = path.parent.with_name(f"{path.name}.odd")
    with writer.ImageWriter(path) as images:
        first = images.written
        lines.cut(odd, [line for line in lines.whole(odd) if int(line.split()[0]) < first])
        blocks = prepared(listing, first, short_side)
        with odd.open("a", encoding="ascii") as odd_images:
            for block in shown(blocks, path.name, first, len(listing)):
                odd_images.writelines(f"{number} {kind}\n" for number, kind in block.odd)
                odd_images.flush()
                images.append(block.images)
    counts = Counter(line.split()[1].decode("ascii") for line in lines.whole(odd))
    return {kind: counts[kind] for kind in ODD}, getattr(images, "sha256", None)
