// The script of a page, part 3: shows the bytes and the fields of the block side by side, and filters the
// findings. The page is complete without it.
//
// The script reads the findings and the dump from the document. It writes texts only with textContent,
// so that no text can become markup.

// Findings

const findings = [...document.querySelectorAll(".rule li")].map((item) => {
	const from = parseInt(item.id.slice(2), 16);
	const length = Number(item.dataset.length);
	const group = item.closest(".rule");
	const path = item.querySelector("code")?.textContent ?? "";
	return { item, from, to: from + length, path, group, link: item.querySelector("a") };
});
let current = null; // the finding that is selected

const shownFindings = () => findings.filter((f) => !f.item.hidden && !f.group.hidden);

function setCurrent(finding) {
	for (const f of findings) {
		f.item.classList.toggle("current", f === finding);
		f.link.tabIndex = -1;
	}
	current = finding;
	const reachable = finding && shownFindings().includes(finding) ? finding : shownFindings()[0];
	if (reachable) {
		reachable.link.tabIndex = 0;
	}
}

function filter() {
	const rule = byID("rule").value;
	const severities = new Set([...document.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
	const path = byID("path").value.toLowerCase();
	const groups = new Map();
	for (const f of findings) {
		f.item.hidden = !f.path.toLowerCase().includes(path);
		groups.set(f.group, groups.get(f.group) || !f.item.hidden);
	}
	for (const [group, some] of groups) {
		group.hidden = !some || !severities.has(group.dataset.severity) || rule !== "" && rule !== group.dataset.rule;
	}
	byID("shown").textContent = `${shownFindings().length} of ${findings.length} shown`;
	setCurrent(current);
}

function step(by) {
	const list = shownFindings();
	const at = list.indexOf(current);
	const next = list[at < 0 ? 0 : Math.min(Math.max(at + by, 0), list.length - 1)];
	if (next) {
		selectFinding(next);
		next.link.focus({ preventScroll: true });
		next.item.scrollIntoView({ block: "nearest" });
		setAddress(next.item.id);
	}
}

// Bytes and fields

let bytes = null; // the List of the bytes, null if the block has none
let fields = null;
let hexes = [];
let items = []; // the rows of the fields
let selection = { from: 0, to: 0, cursor: 0, field: -1 };

const isLit = (at) => at >= selection.from && at < selection.to;

// faults has the severity of each byte with findings. A finding without bytes marks the byte at its
// offset.
const faults = new Map();

function markFaults(rows) {
	for (const f of findings) {
		const to = Math.max(f.to, f.from + 1);
		for (let at = f.from; at < to && rows.has(at - at % rowBytes); at++) {
			if (!faults.has(at)) {
				faults.set(at, f.group.dataset.severity); // the worst, because findings are in this order
			}
		}
	}
}

// cells appends the texts of the bytes of a row to an element. Bytes that look the same are in one
// element.
function cells(to, row, text, space) {
	let run = null;
	for (let i = 0; i < rowBytes; i++) {
		const at = row.start + i;
		const has = row.bytes[i] >= 0;
		const lit = has && isLit(at);
		const fault = has && faults.has(at) ? `fault ${faults.get(at)}` : "";
		if (run?.lit !== lit || run.fault !== fault) {
			run = { lit, fault, node: lit || fault ? element(lit ? "mark" : "span", fault) : document.createTextNode("") };
			if (i > 0 && space !== "") {
				to.append(space);
			}
			to.append(run.node);
		} else {
			run.node.textContent += space;
		}
		run.node.textContent += has ? text(row.bytes[i]) : text(0).replace(/./g, " ");
	}
}

function drawHex(i) {
	const row = hexes[i];
	const digits = Math.max(4, hex(hexes[hexes.length - 1].start, 4).length);
	const e = element("div", "row");
	e.dataset.index = i;
	if (row.isGap) {
		e.classList.add("gap");
		e.textContent = `${"".padStart(digits)}  ${row.to - row.start} bytes are not on this page`;
		return e;
	}
	const columns = element("span", "columns");
	const ascii = element("span", "ascii");
	cells(columns, row, (b) => hex(b, 2), " ");
	cells(ascii, row, (b) => (b > 0x1f && b < 0x7f ? String.fromCharCode(b) : "."), "");
	e.append(element("span", "offset", hex(row.start, digits)), "  ", columns, "  ", ascii);
	return e;
}

function drawField(i) {
	const it = items[i];
	const e = element("div", it.isRecord ? "row record" : "row field", it.label);
	const lit = it.isRecord ? i === selection.field : it.from < selection.to && selection.from < Math.max(it.to, it.from + 1);
	e.classList.toggle("lit", lit);
	e.id = `field-${i}`;
	e.dataset.index = i;
	e.setAttribute("role", "option");
	e.setAttribute("aria-selected", i === selection.field);
	e.setAttribute("aria-setsize", items.length);
	e.setAttribute("aria-posinset", i + 1);
	return e;
}

// rowOf returns the index of the row with the byte, or of the last row before it.
function rowOf(at) {
	const after = hexes.findIndex((row) => row.start > at);
	return Math.max(0, (after < 0 ? hexes.length : after) - 1);
}

// fieldAt returns the index of the shortest field that has the byte, or of the last field before it.
function fieldAt(at) {
	let found = -1;
	for (let i = 0; i < items.length; i++) {
		const it = items[i];
		if (it.isRecord || it.from > at) {
			continue;
		}
		const has = at < it.to;
		const length = (it) => it.to - it.from;
		if (found < 0 || has && (at >= items[found].to || length(it) < length(items[found])) || !has && at >= items[found].to) {
			found = i;
		}
	}
	return found;
}

function extentOf(it) {
	if (!it.isRecord) {
		return it;
	}
	return rangeOf(items.filter((other) => !other.isRecord && isInside(other.path, it.path)));
}

function rangeOf(list) {
	const extend = (range, it) => ({ from: Math.min(range.from, it.from), to: Math.max(range.to, it.to) });
	return list.reduce(extend, { from: list[0].from, to: list[0].to });
}

function select(from, to, cursor, field) {
	selection = { from, to, cursor, field };
	fields.box.removeAttribute("aria-activedescendant");
	if (field >= 0) {
		fields.reveal(field);
		fields.box.setAttribute("aria-activedescendant", `field-${field}`);
	}
	bytes.reveal(rowOf(cursor));
	const n = to - from;
	const it = items[field];
	const place = `0x${hex(from, 4)}, ${n || "no"} byte${n === 1 ? "" : "s"}`;
	byID("selection").textContent = it ? `${place}: ${it.path}${it.text ?? ""}` : place;
}

function selectField(i) {
	const extent = extentOf(items[i]);
	select(extent.from, extent.to, extent.from, i);
	setCurrent(findings.find((f) => f.path === items[i].path) ?? null);
	setAddress(items[i].path || `0x${hex(extent.from, 1)}`);
}

function selectByte(at) {
	const field = fieldAt(at);
	const it = items[field];
	const has = it && at >= it.from && at < it.to;
	select(has ? it.from : at, has ? it.to : at + 1, at, field);
	setCurrent(findings.find((f) => at >= f.from && at < Math.max(f.to, f.from + 1)) ?? null);
}

function selectFinding(f) {
	setCurrent(f);
	if (bytes) {
		const named = f.path === "" ? -1 : items.findIndex((it) => it.path === f.path);
		select(f.from, f.to, f.from, named < 0 ? fieldAt(f.from) : named);
	}
}

// setAddress changes the address after a moment, because browsers limit the number of changes.
function setAddress(text) {
	clearTimeout(addressTimer);
	addressTimer = setTimeout(() => history.replaceState(null, "", `#${text}`), 100);
}
let addressTimer;

// followAddress selects what the address names: a finding, an offset or a path. It returns whether
// there is such a thing.
function followAddress() {
	let text = location.hash.slice(1);
	try {
		text = decodeURIComponent(text);
	} catch {
		return false; // not an address of ours
	}
	const finding = findings.find((f) => f.item.id === text);
	if (finding) {
		selectFinding(finding);
		finding.item.scrollIntoView({ block: "nearest" });
		return true;
	}
	if (!bytes) {
		return false;
	}
	if (/^0x[0-9a-f]+$/i.test(text)) {
		selectByte(parseInt(text, 16));
		return true;
	}
	const named = items.findIndex((it) => it.path === text);
	if (named >= 0) {
		selectField(named);
		return true;
	}
	const inside = text === "" ? [] : items.filter((it) => !it.isRecord && isInside(it.path, text));
	if (inside.length > 0) {
		const extent = rangeOf(inside);
		select(extent.from, extent.to, extent.from, items.findIndex((it) => isInside(it.path, text)));
		return true;
	}
	return false;
}

// byteAt returns the offset of the byte at a point of a row, or -1.
function byteAt(event) {
	const row = hexes[event.target.closest(".row")?.dataset.index];
	for (const [name, width] of [["columns", 3 * rowBytes - 1], ["ascii", rowBytes]]) {
		const column = event.target.closest(`.${name}`);
		if (column && row) {
			const box = column.getBoundingClientRect();
			const character = Math.floor((event.clientX - box.left) / box.width * width);
			const i = Math.min(Math.max(name === "ascii" ? character : Math.floor(character / 3), 0), rowBytes - 1);
			return row.bytes[i] < 0 ? -1 : row.start + i;
		}
	}
	return -1;
}

// moveByte moves the cursor by a number of bytes, over gaps.
function moveByte(by) {
	const last = hexes[hexes.length - 1];
	const end = last.start + last.bytes.findLastIndex((b) => b >= 0);
	let at = Math.min(Math.max(selection.cursor + by, 0), end);
	const row = hexes[rowOf(at)];
	if (row.isGap) {
		at = by > 0 ? row.to : row.start - 1;
	}
	if (hexes[rowOf(at)].bytes[at % rowBytes] >= 0) {
		selectByte(at);
		setAddress(`0x${hex(at, 1)}`);
	}
}

const far = Number.MAX_SAFE_INTEGER / 2;

function showPanes() {
	const dump = readDump(byID("text")?.textContent ?? "");
	if (dump.parts.length === 0 || dump.rows.size === 0) {
		return;
	}
	items = fieldRows(dump.parts);
	hexes = hexRows(dump.rows);
	markFaults(dump.rows);
	byID("panes").hidden = false;
	document.body.classList.add("with-panes");
	bytes = new List(byID("bytes"), hexes.length, drawHex);
	fields = new List(byID("fields"), items.length, drawField);
	onKeys(bytes.box, () => ({
		ArrowLeft: [moveByte, -1], ArrowRight: [moveByte, 1], ArrowUp: [moveByte, -rowBytes], ArrowDown: [moveByte, rowBytes],
		PageUp: [moveByte, -rowBytes * bytes.page()], PageDown: [moveByte, rowBytes * bytes.page()], Home: [moveByte, -far], End: [moveByte, far],
	}));
	const moveField = (by) => selectField(Math.min(Math.max(selection.field + by, 0), items.length - 1));
	onKeys(fields.box, () => ({
		ArrowUp: [moveField, -1], ArrowDown: [moveField, 1], PageUp: [moveField, -fields.page()], PageDown: [moveField, fields.page()],
		Home: [moveField, -far], End: [moveField, far],
	}));
	bytes.box.addEventListener("click", (event) => {
		const at = byteAt(event);
		if (at >= 0) {
			selectByte(at);
			setAddress(`0x${hex(at, 1)}`);
		}
	});
	fields.box.addEventListener("click", (event) => {
		const row = event.target.closest(".row");
		if (row) {
			selectField(Number(row.dataset.index));
		}
	});
}

// onKeys calls the function for a key without modifiers with its number.
function onKeys(box, actions) {
	box.addEventListener("keydown", (event) => {
		const action = event.ctrlKey || event.altKey || event.metaKey ? undefined : actions()[event.key];
		if (action) {
			event.preventDefault();
			action[0](action[1]);
		}
	});
}

for (const e of document.querySelectorAll(".scripted")) {
	e.hidden = false;
}
showPanes();
if (findings.length > 0) {
	byID("filter").hidden = false;
	byID("filter").addEventListener("input", filter);
	byID("filter").addEventListener("submit", (event) => event.preventDefault());
	const list = byID("findings");
	list.addEventListener("click", (event) => {
		const item = event.target.closest(".rule li");
		const finding = item && findings.find((f) => f.item === item);
		if (finding) {
			selectFinding(finding);
			setAddress(finding.item.id);
			event.preventDefault();
		}
	});
	for (const f of findings) {
		onKeys(f.link, () => ({ ArrowUp: [step, -1], ArrowDown: [step, 1] }));
	}
	filter();
}
onKeys(document, () => {
	const typing = document.activeElement?.matches("input:not([type=checkbox]), select");
	if (typing || !byID("letters")?.checked) {
		return {};
	}
	return { n: [step, 1], p: [step, -1], "/": [() => byID("path").focus()] };
});
addEventListener("hashchange", followAddress);
addEventListener("beforeprint", () => document.querySelectorAll(".rule details").forEach((e) => { e.open = true; }));
if (!followAddress() && bytes) {
	if (findings.length > 0) {
		selectFinding(findings[0]);
	} else {
		selectByte(0);
	}
}
