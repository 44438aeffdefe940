"""How the site is built: ``python docs/build.py site``. Everything it shows comes from this folder."""

import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import made  # noqa: E402 - beside this file
from docutils import nodes  # noqa: E402
from docutils.utils.math.latex2mathml import tex2mathml  # noqa: E402

import graphens  # noqa: E402

warnings.filterwarnings("ignore", "Unknown section In The Registry")  # `made.tidy` makes notes of it
facts = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
project, author, release = "graphens", "graphens contributors", graphens.__version__
project_copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "sphinx_gallery.gen_gallery", "sphinx_copybutton"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build"]
smartquotes = False  # --seed is an option, not a dash
default_role = "code"  # `k` in docstrings is code, whether or not it has a page
suppress_warnings = ["config.cache"]  # the gallery's settings cannot be kept between builds

myst_enable_extensions = ["attrs_block", "colon_fence", "dollarmath"]
myst_dmath_allow_space = False
html_math_renderer = "mathml"  # drawn by the browser itself
myst_heading_anchors = 3
copybutton_exclude = ".linenos, .gp, .go"

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_preserve_defaults = True
toc_object_entries_show_parents = "hide"  # plot() below its class, not CdfDisplay.plot()
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"(^|/)(?!plot_)[^/]*\.py$",  # the other scripts are programs, not pages
    "abort_on_example_error": True,
    "capture_repr": ("_repr_html_", "__repr__"),
    "download_all_examples": False,
    "image_scrapers": ("matplotlib",),
    "image_srcset": ["2x"],
    "matplotlib_animations": False,
    "min_reported_time": 1e9,
    "plot_gallery": "True",
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "within_subsection_order": "made.ByGroup",
}

html_theme = "pydata_sphinx_theme"
html_title = "graphens"
html_static_path = ["_static"]
html_extra_path = ["_build/extra"]  # the live pages
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(HERE / "scorer.js")
templates_path = ["_templates"]
html_favicon = html_logo = "images/logo.svg"
html_context = {
    "default_mode": "auto",  # light or dark, as the reader's system is
    "license": facts["license"],
    "urls": facts.get("urls", {}),
}
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {
    page: [] for page in ("index", "start", "gallery/index", "reproduction", "benchmarks", "coming/index")
}  # pages without kin
html_theme_options = {
    "header_links_before_dropdown": 8,
    "logo": {"text": "graphens", "alt_text": "graphens, home page"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "navbar_start": ["navbar-logo", "version"],
    "footer_start": ["copyright"],
    "footer_end": ["links"],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def formula(self: Any, node: nodes.Element) -> None:
    """Write LaTeX as MathML, which browsers draw without a network."""
    block = isinstance(node, nodes.math_block)
    mathml = tex2mathml(node.astext(), as_block=block).replace("&ApplyFunction;", "\u2061")
    self.body.append(f'<div class="math">{mathml}</div>' if block else mathml)
    raise nodes.SkipNode


def setup(app: object) -> None:
    """Fill pages and docstrings in as they are read."""
    app.connect("source-read", made.fill)  # type: ignore[attr-defined]
    app.connect("doctree-read", made.dress)  # type: ignore[attr-defined]
    app.connect("html-page-context", made.describe)  # type: ignore[attr-defined]
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", made.tidy, priority=400)  # type: ignore[attr-defined]
