//! Tables of the report page.

use super::page::{PageTable, paragraphs};
use super::svg::escape;

/// Writes one table as a section of its own.
pub fn write(index: usize, table: &PageTable, out: &mut String) {
    let id = format!("table-{index}");
    out.push_str(&format!(
        "<section id=\"{id}\">\n<h2 id=\"{id}-heading\">{}</h2>\n",
        escape(&table.heading)
    ));
    write_inside(&id, table, out);
    out.push_str("</section>\n");
}

/// Writes one table with its note and, if wanted, the controls for the page's script, below the heading of the section with this
/// id.
pub fn write_inside(id: &str, table: &PageTable, out: &mut String) {
    paragraphs(&table.note, "text", out);
    if table.rows.is_empty() {
        out.push_str("<p class=\"text\">No rows.</p>\n");
        return;
    }
    if table.filter {
        controls(id, table, out);
    }
    out.push_str(&format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{id}-heading\">\n"
    ));
    out.push_str(&format!("<table aria-labelledby=\"{id}-heading\""));
    out.push_str(if table.filter { " data-filter>\n" } else { ">\n" });
    rows(table, out);
    out.push_str("</table>\n</div>\n");
    if table.filter {
        out.push_str("<p class=\"more\" hidden><button type=\"button\"></button></p>\n");
    }
}

/// Hidden until the script shows them, because they need the script.
fn controls(id: &str, table: &PageTable, out: &mut String) {
    let count = table.rows.len();
    out.push_str(&format!(
        "<p class=\"controls\" hidden><label for=\"{id}-filter\">Filter</label> \
         <input id=\"{id}-filter\" type=\"search\" autocomplete=\"off\" placeholder=\"any word\"> \
         <span role=\"status\">{count} rows</span></p>\n"
    ));
}

fn rows(table: &PageTable, out: &mut String) {
    let numeric = numeric_columns(table);
    let class = |column: usize| if numeric.get(column) == Some(&true) { " class=\"number\"" } else { "" };
    out.push_str("<thead>\n<tr>");
    for (column, name) in table.columns.iter().enumerate() {
        out.push_str(&format!("<th scope=\"col\"{}>{}</th>", class(column), escape(name)));
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    for (index, row) in table.rows.iter().enumerate() {
        out.push_str("<tr>");
        let link = table.links.get(index).filter(|link| !link.is_empty());
        for (column, _) in table.columns.iter().enumerate() {
            let cell = escape(row.get(column).map_or("", String::as_str));
            let cell = match link.filter(|_| column + 1 == table.columns.len()) {
                Some(link) => format!("<a href=\"{}\">{cell}</a>", escape(link)),
                None => cell,
            };
            out.push_str(&format!("<td{}>{cell}</td>", class(column)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n");
}

/// The columns with numbers only, whose digits are aligned.
fn numeric_columns(table: &PageTable) -> Vec<bool> {
    (0..table.columns.len())
        .map(|column| {
            let mut cells = table
                .rows
                .iter()
                .filter_map(|row| row.get(column))
                .filter(|cell| !cell.trim().is_empty())
                .peekable();
            cells.peek().is_some() && cells.all(|cell| is_number(cell))
        })
        .collect()
}

/// A number, perhaps with a sign, a percent sign or a short unit behind a space.
fn is_number(cell: &str) -> bool {
    let mut words = cell.trim().split(' ');
    let number =
        words.next().unwrap_or_default().trim_start_matches('−').trim_end_matches('%').replace(',', "");
    let unit = words.next().unwrap_or_default();
    number.parse::<f64>().is_ok_and(f64::is_finite) && unit.chars().count() <= 3 && words.next().is_none()
}
