"""Play every golden file anew from its head: `python -m tests.golden_write`, then read the diff."""

from tests.playthrough import golden_files, playthrough, read_head


def main() -> None:
    """Write the files and say which of them changed."""
    for path in golden_files():
        before = path.read_text(encoding="utf-8")
        after = playthrough(**read_head(before))
        path.write_text(after, encoding="utf-8", newline="\n")
        print(f"{path.name}: {'unchanged' if after == before else 'CHANGED'}, {len(after)} bytes")


if __name__ == "__main__":
    main()
