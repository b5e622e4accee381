// The script of a page, part 1: reads the dump that the page has as text.
"use strict";

const rowBytes = 16;

// isInside reports whether a path is a part of the record at another path. The path "" is the block.
function isInside(path, record) {
	return record === "" || path.startsWith(record) && /^($|[.[])/.test(path.slice(record.length));
}

// readDump reads the lines of a dump. It returns the parts of the block in their order, and the rows
// of 16 bytes. A byte of a row that is not in the dump is -1. A line without bytes is the path of the
// record of the next fields.
//
//	object[0].instance[0]
//	0110 | 20 00 00 00 | ByteLength = 32
//	0200 | 00 00 00 00 |
function readDump(text) {
	const parts = [];
	const rows = new Map();
	let record = "";
	for (const line of text.split("\n")) {
		const columns = /^([0-9a-f]+) \| ((?:[0-9a-f]{2} )*)\|(?: ([\w[\]]*)(.*))?$/.exec(line);
		if (!columns) {
			record = line;
			continue;
		}
		const off = parseInt(columns[1], 16);
		const bytes = columns[2].split(" ").slice(0, -1).map((b) => parseInt(b, 16));
		bytes.forEach((b, i) => {
			const at = off + i;
			const start = at - at % rowBytes;
			if (!rows.has(start)) {
				rows.set(start, new Int16Array(rowBytes).fill(-1));
			}
			rows.get(start)[at - start] = b;
		});
		const end = off + bytes.length;
		if (columns[3] !== undefined) {
			const path = record === "" ? columns[3] : `${record}.${columns[3]}`;
			parts.push({ from: off, to: end, path, text: columns[4] });
		} else if (parts.length > 0) {
			parts[parts.length - 1].to = end;
		}
	}
	return { parts, rows };
}

// fieldRows returns the parts with a row for each record before its first field.
function fieldRows(parts) {
	const list = [];
	let record = "";
	for (const part of parts) {
		const dot = part.path.lastIndexOf(".");
		const parent = part.path.slice(0, Math.max(dot, 0));
		if (parent !== record && parent !== "") {
			list.push({ isRecord: true, from: part.from, to: part.to, path: parent, label: parent });
		}
		record = parent;
		list.push({ ...part, label: part.path.slice(dot + 1) + part.text });
	}
	return list;
}

// hexRows returns the rows in the order of their offsets, with a gap where the dump has no bytes.
function hexRows(rows) {
	const list = [];
	let next = 0;
	for (const start of [...rows.keys()].sort((a, b) => a - b)) {
		if (start !== next) {
			list.push({ start: next, isGap: true, to: start });
		}
		list.push({ start, bytes: rows.get(start) });
		next = start + rowBytes;
	}
	return list;
}
