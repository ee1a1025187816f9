//! The report page: one self-contained HTML file.

use serde::{Deserialize, Serialize};

use super::svg::escape;
use super::table;
use super::theme;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Content security policy: nothing is loaded; the page's own style and script are inside it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// One report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Heading and window title.
    pub title: String,
    /// The outcome in one plain sentence.
    pub lead: String,
    /// Shown as a badge.
    pub verdict: Badge,
    /// Name and value of the key figures.
    pub facts: Vec<(String, String)>,
    /// Text and figures, in order.
    pub sections: Vec<Section>,
    /// Tables after the sections, in order.
    pub tables: Vec<PageTable>,
    /// Small print; may be empty.
    pub footer: String,
}

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Badge {
    /// The mission was finished.
    Completed,
    /// The run ended first.
    Stopped,
}

/// Text, a table and figures under one heading.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Also the entry in the contents.
    pub heading: String,
    /// Plain text; an empty line starts a new paragraph.
    pub text: String,
    /// Something to copy, such as a command or a file, below the text; may be empty.
    pub code: String,
    /// A table below that; its heading is the section's.
    pub table: Option<PageTable>,
    /// Figures below all that.
    pub figures: Vec<Figure>,
}

/// A drawn figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// One sentence below the figure; may be empty.
    pub caption: String,
    /// The output of one of this module's `draw` functions; it goes into the page unchanged.
    pub svg: String,
}

/// A table, long ones with a filter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageTable {
    /// Also the entry in the contents.
    pub heading: String,
    /// Plain text above the table; may be empty.
    pub note: String,
    /// Column names.
    pub columns: Vec<String>,
    /// Cells; missing ones stay empty, surplus ones are left out.
    pub rows: Vec<Vec<String>>,
    /// Whether to offer a text filter and to show the first rows only until asked for all.
    pub filter: bool,
    /// The link of the last cell of each row; empty for none.
    pub links: Vec<String>,
}

/// Writes the page as an HTML document.
pub fn render(page: &Page) -> String {
    let mut out = String::new();
    head(page, &mut out);
    out.push_str("<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n");
    banner(page, &mut out);
    out.push_str("<div class=\"columns\">\n");
    contents(page, &mut out);
    out.push_str("<main id=\"main\">\n");
    facts(page, &mut out);
    for (index, content) in page.sections.iter().enumerate() {
        section(index, content, &mut out);
    }
    for (index, content) in page.tables.iter().enumerate() {
        table::write(index, content, &mut out);
    }
    out.push_str("</main>\n</div>\n");
    if !page.footer.trim().is_empty() {
        out.push_str(&format!("<footer>{}</footer>\n", escape(&page.footer)));
    }
    let inside = page.sections.iter().filter_map(|section| section.table.as_ref());
    if page.tables.iter().chain(inside).any(|content| content.filter) {
        out.push_str(&format!("<script>\n{SCRIPT}</script>\n"));
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// Splits plain text at empty lines and writes each part as a paragraph.
pub fn paragraphs(text: &str, class: &str, out: &mut String) {
    for part in text.replace("\r\n", "\n").split("\n\n").filter(|part| !part.trim().is_empty()) {
        out.push_str(&format!("<p class=\"{class}\">{}</p>\n", escape(part.trim())));
    }
}

fn head(page: &Page, out: &mut String) {
    let dark = theme::dark_rules();
    out.push_str(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n</style>\n</head>\n",
        escape(&page.title)
    ));
}

fn banner(page: &Page, out: &mut String) {
    let (class, word) = match page.verdict {
        Badge::Completed => ("completed", "Completed"),
        Badge::Stopped => ("stopped", "Stopped"),
    };
    out.push_str(&format!(
        "<header>\n<p class=\"verdict {class}\">{word}</p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n</header>\n",
        escape(&page.title),
        escape(&page.lead)
    ));
}

fn contents(page: &Page, out: &mut String) {
    let sections = page
        .sections
        .iter()
        .enumerate()
        .map(|(index, section)| (format!("section-{index}"), &section.heading));
    let tables =
        page.tables.iter().enumerate().map(|(index, table)| (format!("table-{index}"), &table.heading));
    out.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    if !page.facts.is_empty() {
        out.push_str("<li><a href=\"#facts\">Key figures</a></li>\n");
    }
    for (id, heading) in sections.chain(tables) {
        out.push_str(&format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(heading)));
    }
    out.push_str("</ul>\n</nav>\n");
}

fn facts(page: &Page, out: &mut String) {
    if page.facts.is_empty() {
        return;
    }
    out.push_str("<section id=\"facts\" aria-label=\"Key figures\">\n<dl class=\"facts\">\n");
    for (name, value) in &page.facts {
        let class = if value.chars().count() > 14 { " class=\"long\"" } else { "" };
        out.push_str(&format!("<div><dt>{}</dt><dd{class}>{}</dd></div>\n", escape(name), escape(value)));
    }
    out.push_str("</dl>\n</section>\n");
}

fn section(index: usize, section: &Section, out: &mut String) {
    // The heading gets its own id if a table refers to it.
    let id = section.table.as_ref().map_or(String::new(), |_| format!(" id=\"section-{index}-heading\""));
    out.push_str(&format!("<section id=\"section-{index}\">\n<h2{id}>{}</h2>\n", escape(&section.heading)));
    paragraphs(&section.text, "text", out);
    if !section.code.trim().is_empty() {
        out.push_str(&format!(
            "<pre tabindex=\"0\"><code>{}</code></pre>\n",
            escape(section.code.trim_end())
        ));
    }
    if let Some(content) = &section.table {
        table::write_inside(&format!("section-{index}"), content, out);
    }
    for figure in &section.figures {
        let caption = escape(&figure.caption);
        out.push_str("<figure>\n");
        out.push_str(&format!(
            "<div class=\"drawing\" tabindex=\"0\" role=\"group\" aria-label=\"{caption}\">"
        ));
        out.push_str(&drawing(&figure.svg));
        out.push_str("</div>\n");
        if !caption.trim().is_empty() {
            out.push_str(&format!("<figcaption>{caption}</figcaption>\n"));
        }
        out.push_str("</figure>\n");
    }
    out.push_str("</section>\n");
}

/// A drawing is inserted unchanged; anything else is shown as text.
fn drawing(svg: &str) -> String {
    if svg.starts_with("<svg ") && svg.ends_with("</svg>") { svg.to_owned() } else { escape(svg) }
}
