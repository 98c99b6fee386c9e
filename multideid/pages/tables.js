"use strict";
// Tables from data: for each element with data-table, the JSON of that id. Columns have a name and a
// kind: "text", "count", "score", or "names" (a list of names).
(() => {
  const PAGE = 200;

  // What the data say only ever becomes text nodes.
  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  const isNumber = (column) => column.kind === "count" || column.kind === "score";
  const n = (value) => value.toLocaleString("en");

  function shown(value, kind) {
    if (value === null) return "–";
    if (kind === "names") return value.join(", ") || "none";
    if (kind === "score") return value.toFixed(3);
    return kind === "count" ? n(value) : value;
  }

  // Missing values come last, whatever the direction.
  function comparison(column, kind, descending) {
    const sign = descending ? -1 : 1;
    const key = (row) => (kind === "names" ? row[column].join(", ") : row[column]);
    return (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      return sign * (isNumber({ kind }) ? x - y : x < y ? -1 : x > y ? 1 : 0);
    };
  }

  // Spreadsheets take what begins so for a formula.
  const harmless = (cell) => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell);
  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

  function csv(columns, rows) {
    const cell = (value, { kind }) =>
      value === null ? "" : kind === "names" ? value.join(" ") : isNumber({ kind }) ? `${value}` : harmless(value);
    const lines = rows.map((row) => columns.map((c, k) => quoted(cell(row[k], c))).join(","));
    return [columns.map((c) => quoted(c.name)).join(","), ...lines, ""].join("\r\n");
  }

  function save(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  function choices(column, k, rows) {
    const names = [...new Set(rows.flatMap((row) => row[k]))].sort();
    const select = element("select", {}, new Option("any", ""));
    for (const name of names) select.append(new Option(name, `+${name}`));
    if (column.kind === "names") for (const name of names) select.append(new Option(`not ${name}`, `-${name}`));
    return select;
  }

  function filterOf(column, k, rows) {
    if (column.choose && !isNumber(column)) {
      const select = choices(column, k, rows);
      const has = (row, name) => [row[k]].flat().includes(name);
      const test = () => {
        const [sign, name] = [select.value[0], select.value.slice(1)];
        return sign ? (row) => has(row, name) === (sign === "+") : null;
      };
      return { field: select, label: column.name, test };
    }
    if (column.choose) {
      const input = element("input", { type: "number", min: 0, max: 1, step: "any", placeholder: "any" });
      const test = () => (input.value ? (row) => row[k] !== null && row[k] <= Number(input.value) : null);
      return { field: input, label: `${column.name} at most`, test };
    }
    return null;
  }

  function searchOf(columns) {
    const input = element("input", { type: "search", autocomplete: "off", spellcheck: false, placeholder: "any" });
    const texts = columns.flatMap((c, k) => (c.kind === "text" ? [k] : []));
    const test = () => {
      const wanted = input.value.trim().toLowerCase();
      return wanted ? (row) => texts.some((k) => row[k].toLowerCase().includes(wanted)) : null;
    };
    const names = texts.map((k) => columns[k].name).join(", ");
    return texts.length ? [{ field: input, label: `Search in ${names}`, test }] : [];
  }

  class DataTable {
    constructor(place) {
      const source = document.getElementById(place.dataset.table);
      Object.assign(this, JSON.parse(source.textContent));
      [this.column, this.descending] = this.sort;
      this.filters = [
        ...searchOf(this.columns),
        ...this.columns.map((c, k) => filterOf(c, k, this.rows)).filter(Boolean),
      ];
      this.count = element("p", { className: "count" });
      this.count.setAttribute("role", "status");
      this.body = element("tbody", {});
      this.more = element("button", { type: "button", className: "more" }, "Show more");
      this.more.addEventListener("click", () => this.draw(this.drawn + PAGE));
      this.heads = this.columns.map((c, k) => this.head(c, k));
      place.append(this.form(), this.count, this.file(), this.table(), this.more);
      this.refresh();
    }

    head(column, k) {
      const button = element("button", { type: "button" }, column.name);
      button.addEventListener("click", () => this.sortBy(k));
      return element("th", { scope: "col", className: isNumber(column) ? "" : "name" }, button);
    }

    form() {
      const labels = this.filters.map((f) => element("label", {}, `${f.label} `, f.field));
      const clear = element("button", { type: "reset" }, "Clear the filters");
      // A short list needs no search.
      const few = this.filters.length > 1 ? 2 : 20;
      const form = element("form", { hidden: this.rows.length < few }, ...labels, clear);
      let waiting = 0;
      const soon = () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => this.refresh(), 120);
      };
      // Not every way to choose from a list is an input; a change it always is.
      for (const event of ["input", "change"]) form.addEventListener(event, soon);
      form.addEventListener("reset", () => setTimeout(() => this.refresh()));
      form.addEventListener("submit", (event) => event.preventDefault());
      return form;
    }

    file() {
      const button = element("button", { type: "button", className: "csv" }, "Save as CSV");
      button.setAttribute("aria-label", `Save as CSV: ${this.title}`);
      button.addEventListener("click", () => save(`${this.name}.csv`, csv(this.columns, this.matching)));
      return button;
    }

    table() {
      const head = element("thead", {}, element("tr", {}, ...this.heads));
      const scroll = element("div", { className: "scroll", tabIndex: 0 }, element("table", {}, head, this.body));
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", `Table: ${this.title}`);
      return element("figure", { className: "table" }, scroll);
    }

    row(values) {
      const cells = this.columns.map((column, k) => {
        const cell = element(k ? "td" : "th", {}, element("bdi", {}, shown(values[k], column.kind)));
        if (!k) cell.scope = "row";
        if (!isNumber(column)) cell.className = "name";
        return cell;
      });
      return element("tr", {}, ...cells);
    }

    draw(most) {
      const next = this.matching.slice(this.drawn, most);
      this.body.append(...next.map((values) => this.row(values)));
      this.drawn += next.length;
      const [drawn, matching, all] = [this.drawn, this.matching.length, this.rows.length];
      this.more.hidden = drawn >= matching;
      const rows = matching < all ? `${n(matching)} of ${n(all)} rows` : `${n(all)} row${all === 1 ? "" : "s"}`;
      this.count.textContent = drawn < matching ? `${rows}; the first ${n(drawn)} are shown` : rows;
    }

    sortBy(k) {
      this.descending = this.column === k && !this.descending;
      this.column = k;
      this.refresh();
    }

    refresh() {
      const tests = this.filters.map((f) => f.test()).filter(Boolean);
      const kept = this.rows.filter((values) => tests.every((test) => test(values)));
      const kind = this.columns[this.column].kind;
      this.matching = kept.sort(comparison(this.column, kind, this.descending));
      const direction = this.descending ? "descending" : "ascending";
      this.heads.forEach((head, k) => head.setAttribute("aria-sort", k === this.column ? direction : "none"));
      this.body.replaceChildren();
      this.drawn = 0;
      this.draw(PAGE);
    }
  }

  const tables = [...document.querySelectorAll("[data-table]")].map((place) => new DataTable(place));
  // On paper there is no button for more.
  addEventListener("beforeprint", () => tables.forEach((table) => table.draw(Infinity)));
  addEventListener("afterprint", () => tables.forEach((table) => table.refresh()));
})();
