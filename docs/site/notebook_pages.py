"""Hook of MkDocs: each tutorial notebook is a page, with its outputs as they were saved, and a file to download."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

DOWNLOAD = '[Download this notebook]({name}){{ .md-button download="{name}" }}\n\n'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook."""
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        path = Path(str(notebook.abs_src_path))
        files.append(File.generated(config, notebook.src_uri[:-5] + "md", content=as_markdown(path)))
    return files


def as_markdown(path: Path) -> str:
    """Return a notebook as Markdown: text cells as they are, code in fences, printed output below it."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = [part for cell in cells for part in _cell(cell)]
    title, rest = parts[0], parts[1:]
    heading, _, text = title.partition("\n")
    return "\n\n".join([heading, DOWNLOAD.format(name=path.name), text.strip(), *rest]) + "\n"


def _cell(cell: dict[str, Any]) -> list[str]:  # Any: JSON
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [f"```python\n{source}\n```", *map(_output, cell["outputs"])]


def _output(output: dict[str, Any]) -> str:  # Any: JSON
    text = "".join(output["text"] if "text" in output else output.get("data", {}).get("text/plain", ""))
    return f'```text title="Output"\n{text.rstrip()}\n```'
