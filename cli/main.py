"""The command line's entry: commands are imported when used, so that help is there at once."""

import io
import sys

import typer

from zhiji.cli import bench, chat, doctor, evaluate, inspect, knowledge, memory, people
from zhiji.cli.output import complain, emit

app = typer.Typer(
    name="zhiji",
    help="An agent that knows its user and its documents. Works without a model or a server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (chat, knowledge, inspect, memory, people, evaluate, bench, doctor):
    module.register(app)

STOPPED = 130
"""What the framework returns when Ctrl-C meets it outside a command's own work."""


def main() -> None:
    """Run the command: exit 0 done, 1 failed, 2 misuse; a failure is one line, and with `--json` a document besides."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale; what no encoding can hold is escaped
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        sys.exit(_run())
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as failed:
        sys.exit(_report(failed))


def _run() -> int:
    from zhiji.core.errors import Interrupted

    code: int = app(standalone_mode=False) or 0
    if code == STOPPED:
        raise Interrupted("Stopped.")
    return code


def _report(failed: Exception) -> int:
    from zhiji.cli.faults import Fault, fault_of

    fault = fault_of(failed)
    if "--json" in sys.argv[1:]:
        ours = Fault(type(failed).__name__, "An error in zhiji itself; standard error has the details.")
        emit((fault or ours).as_json())
    if fault is None:
        raise failed
    if fault.message:
        complain(fault.message)
    return fault.exit_code


if __name__ == "__main__":
    main()
