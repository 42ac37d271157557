"""The command line's entry: commands are imported when used, so that help is there at once."""

import sys

import typer

from zhiji.cli import chat, doctor, evaluate, knowledge, memory
from zhiji.cli.output import complain

app = typer.Typer(
    name="zhiji",
    help="An agent that knows its user and its documents. Works without a model or a server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (chat, knowledge, memory, evaluate, doctor):
    module.register(app)


def main() -> None:
    """Run the command; an expected failure is one line and exit 1, misuse exit 2."""
    from zhiji.core.errors import ZhijiError

    try:
        app()
    except ZhijiError as failed:
        complain(str(failed))
        sys.exit(failed.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as failed:
        complain(f"{failed.strerror or failed}{f': {failed.filename}' if failed.filename else ''}.")
        sys.exit(1)
    except Exception as failed:
        from zhiji.cli.faults import explained

        if (line := explained(failed)) is None:
            raise
        complain(line)
        sys.exit(1)


if __name__ == "__main__":
    main()
