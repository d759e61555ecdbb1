"""Where what was recorded for tests is: a study, an archive of each format, and logs."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
STUDY, FORMATS, LOGS = (DATA / name for name in ("study", "formats", "logs"))
