"use strict";
// Reads blocks with the readers that kaitai-struct-compiler generates from the descriptions in a folder, and prints every field.
//
// Standard input has a line "kind length folder" before each block. The output for a block is a line of JSON: {"entries": [...]}
// or {"error": "..."}. An entry has path, off, size and value, which is a decimal number or "hex:" and two digits for each byte.
// It has text if the description declares a text, and name if the field has an enumeration; name is empty if the enumeration
// does not have the number. The last line lists for each folder the attributes that no block has:
// {folder: ["type.attribute", ...]}.

const fs = require("fs");
const path = require("path");
const YAML = require("yaml");
const compiler = require("kaitai-struct-compiler");
const KaitaiStream = require("kaitai-struct/KaitaiStream");

// The type that reads each kind of block.
const kinds = {
  "data-block": "winperf", "objects": "winperf::collect_output",
  "query-data": "perflib", "instances": "perflib::instances", "identifiers": "perflib::identifiers", "guids": "perflib::guids",
  "reg-set": "perflib::counter_set_reg_info", "reg-counter": "perflib::counter_reg_info", "reg-string": "perflib::text",
  "reg-guid": "perflib::guid", "strings": "perflib::strings", "template": "perflib::counter_set_info",
  "instance-block": "perflib::counter_set_instance",
};

// The path element of each attribute without a C name, by type and id: "" if paths have no element for it, null if it is not a field.
const steps = {
  "winperf.body": "", "data_block.padding": null, "data_block.rest": null, "data_block.system_name": "SystemName",
  "data_block.objects": "object", "collect_output.objects": "object",
  "object_type.rest": null, "object_type.counters": "counter", "object_type.instances": "instance", "object_type.block": "block",
  "counter_definition.rest": null, "instance_definition.rest": null, "instance_definition.block": "block",
  "instance_definition.name": "Name", "instance_definition.name_in_code_page": "Name",
  "counter_block.rest": null, "counter_block.values": "value", "counter_value.number": "", "counter_value.bytes": "",

  "perflib.body": "", "query_data.rest": null, "query_data.counters": "result", "counter.data": "",
  "single_counter.value": "data[0]", "multiple_counters.counters": "ids", "multiple_counters.values": "data",
  "multiple_instances.instances": "instances", "counter_set.counters": "ids", "counter_set.instances": "instances",
  "multi_counters.ids": "id", "multi_counters.padding": null, "multi_instances.rest": null, "multi_instances.instances": "../instance",
  "instance.name": "Name", "identifier.name": "Name", "counter_set_instance.name": "Name", "instance_values.instance": "", "instance_values.values": "data",
  "counter_data.rest": null, "counter_data.number": "value", "counter_data.bytes": "value",
  "identifiers.identifiers": "identifier", "instances.instances": "instance", "guids.guids": "guid", "text.text": "Text",
  "strings.rest": null, "strings.entries": "entry", "strings.entries_up_to_low": null, "string_entry.text": "Text",
  "counter_set_reg_info.counters": "counter", "counter_set_info.counters": "counter",
  "counter_set_instance.rest": null, "counter_set_instance.values": "slot",
};
const tops = { "reg-counter": "counter[0]", "reg-guid": "guid[0]" };

// Types whose attributes are one entry together.
const parts = new Set(["guid", "attributes"]);

const home = (type) => type.split("::")[0];
const upper = (id) => id.replace(/(^|_)(\w)/g, (_, __, c) => c.toUpperCase());
const lower = (id) => id.replace(/_(\w)/g, (_, c) => c.toUpperCase());

// Formats has the descriptions in a folder and their readers.
class Formats {
  constructor(folder) {
    this.folder = folder;
    this.specs = {};
    this.modules = {};
    this.sources = {};
    this.read = new Set(); // type.attribute
  }

  async compileAll() {
    for (const file of new Set(Object.values(kinds).map(home))) {
      await this.compile(file);
    }
    return this;
  }

  spec(file) {
    return (this.specs[file] ??= YAML.parse(fs.readFileSync(path.join(this.folder, file + ".ksy"), "utf8")));
  }

  // unread returns the attributes that no block has.
  unread() {
    const all = Object.keys(this.specs).flatMap((file) =>
      Object.entries({ [file]: this.spec(file), ...this.spec(file).types }).flatMap(([name, type]) => [
        ...(type.seq ?? []).map((attr) => name + "." + attr.id),
        ...Object.entries(type.instances ?? {}).filter(([, attr]) => !("value" in attr)).map(([id]) => name + "." + id),
      ]),
    );
    return all.filter((id) => steps[id] !== null && !parts.has(id.split(".")[0]) && !this.read.has(id));
  }

  async compile(file) {
    const importer = { importYaml: async (name) => this.spec(path.basename(name)) };
    Object.assign(this.sources, await compiler.compile("javascript", this.spec(file), importer, true));
  }

  module(name) {
    if (!this.modules[name]) {
      const find = (wanted) => (wanted.endsWith("KaitaiStream") ? KaitaiStream : this.module(path.basename(wanted)));
      new Function("exports", "require", this.sources[name + ".js"])((this.modules[name] = {}), find);
    }
    return this.modules[name];
  }

  // type returns the type or enumeration with the given name in the description in the file from.
  type(from, name) {
    const words = name.split("::");
    const id = words.pop();
    const file = words[0] ?? from;
    const top = this.module(upper(file))[upper(file)];
    return id === file
      ? { file, name: id, spec: this.spec(file), reader: top }
      : { file, name: id, spec: this.spec(file).types[id], reader: top[upper(id)] };
  }
}

class Walk {
  constructor(formats, bytes) {
    this.formats = formats;
    this.bytes = bytes;
    this.entries = [];
  }

  object(value, type, at) {
    for (const attr of type.spec.seq ?? []) {
      this.attribute(value, type, attr.id, attr, at, value._debug[lower(attr.id)]);
    }
    for (const [id, attr] of Object.entries(type.spec.instances ?? {})) {
      const read = value[lower(id)]; // accessing the property reads it
      if ("value" in attr) {
        this.calculated(read, type, attr, at);
      } else {
        this.attribute(value, type, id, attr, at, value._debug["_m_" + lower(id)]);
      }
    }
  }

  // attribute adds the entries of an attribute. It adds none if the condition of the attribute is false.
  attribute(owner, type, id, attr, at, place) {
    const value = owner[lower(id)];
    const step = steps[type.name + "." + id] ?? attr["-orig-id"];
    if (value === undefined || steps[type.name + "." + id] === null) {
      return;
    }
    if (step === undefined) {
      throw new Error(`no path is known for ${type.name}.${id}`);
    }
    this.formats.read.add(type.name + "." + id);
    if (step.startsWith("../")) {
      at = at.slice(0, at.lastIndexOf(".") + 1);
    } else if (at !== "" && step !== "" && !at.endsWith(".")) {
      at += ".";
    } else if (step === "" && at.endsWith(".")) {
      at = at.slice(0, -1);
    }
    const here = at + step.replace("../", "");
    if (attr.repeat) {
      value.forEach((element, i) => this.one(element, owner, type, attr, `${here}[${i}]`, place.arr[i]));
    } else {
      this.one(value, owner, type, attr, here, place);
    }
  }

  one(value, owner, type, attr, at, place) {
    const off = place.ioOffset + place.start;
    const size = place.end - place.start;
    const entry = { path: at, off, size };
    const raw = Buffer.from(this.bytes.buffer, off, size);
    if (typeof value === "number") {
      const signed = typeof attr.type === "string" && attr.type.startsWith("s"); // not a switch-on type
      entry.value = number(raw, signed);
      if (attr.enum) {
        entry.name = this.formats.type(type.file, attr.enum).reader[value] ?? "";
      }
    } else if (typeof value === "string") {
      entry.size = terminated(raw);
      entry.value = "hex:" + raw.toString("hex", 0, entry.size);
      entry.text = value;
    } else if (value instanceof Uint8Array) {
      entry.value = "hex:" + Buffer.from(value).toString("hex");
    } else if (attr.type === "guid") {
      entry.value = "hex:" + raw.toString("hex");
      entry.text = guid(value);
    } else if (attr.type === "attributes") {
      entry.value = number(raw, false);
      entry.name = Object.keys(value).filter((key) => value[key] === true).map(snake).join("|");
    } else {
      this.object(value, this.typeOf(value, type), at);
      return;
    }
    this.entries.push(entry);
  }

  // calculated sets the name of a field to the name in the enumeration of a calculated attribute.
  calculated(value, type, attr, at) {
    if (value === undefined || !attr.enum) {
      return;
    }
    const entry = this.entries.findLast((e) => e.path === (at === "" ? "" : at + ".") + attr["-orig-id"]);
    entry.name = this.formats.type(type.file, attr.enum).reader[value] ?? "";
  }

  typeOf(value, from) {
    const name = snake(value.constructor.name).slice(1).toLowerCase();
    for (const file of [from.file, ...(this.formats.spec(from.file).meta.imports ?? [])]) {
      const type = this.formats.type(file, name);
      if (type.spec && value instanceof type.reader) {
        return type;
      }
    }
    throw new Error(`${value.constructor.name} is not a type of a description`);
  }
}

function snake(id) {
  return id.replace(/([A-Z])/g, "_$1").toUpperCase();
}

// number reads all 64 bits. A JavaScript number has only 53.
function number(raw, signed) {
  let n = 0n;
  for (let i = raw.length - 1; i >= 0; i--) {
    n = (n << 8n) | BigInt(raw[i]);
  }
  return (signed ? BigInt.asIntN(8 * raw.length, n) : n).toString();
}

// terminated returns the number of bytes up to and including the first NUL of two bytes.
function terminated(raw) {
  for (let i = 0; i + 2 <= raw.length; i += 2) {
    if (raw[i] === 0 && raw[i + 1] === 0) {
      return i + 2;
    }
  }
  return raw.length;
}

function guid(g) {
  const hex = (n, digits) => n.toString(16).padStart(digits, "0");
  const tail = Buffer.from(g.data4).toString("hex");
  return `{${hex(g.data1, 8)}-${hex(g.data2, 4)}-${hex(g.data3, 4)}-${tail.slice(0, 4)}-${tail.slice(4)}}`;
}

function read(formats, kind, bytes) {
  const type = formats.type(home(kinds[kind]), kinds[kind]);
  const top = new type.reader(new KaitaiStream(bytes.buffer), null, null);
  top._read();
  const walk = new Walk(formats, bytes);
  if (type.name === "guid") {
    walk.one(top, null, type, { type: "guid" }, tops[kind], { start: 0, end: 16, ioOffset: 0 });
  } else {
    walk.object(top, type, tops[kind] ?? "");
  }
  return walk.entries;
}

async function main() {
  const folders = {};
  const input = fs.readFileSync(0);
  for (let at = 0; at < input.length; ) {
    const end = input.indexOf("\n", at);
    const [, kind, length, folder] = /^(\S+) (\d+) (.*)$/.exec(input.toString("utf8", at, end));
    at = end + 1 + Number(length);
    const bytes = new Uint8Array(input.subarray(end + 1, at)); // a copy, whose offsets start at 0
    const formats = (folders[folder] ??= await new Formats(folder).compileAll());
    let output;
    try {
      output = { entries: read(formats, kind, bytes) };
    } catch (e) {
      output = { error: String(e.stack ?? e) };
    }
    process.stdout.write(JSON.stringify(output) + "\n");
  }
  const unread = Object.entries(folders).map(([folder, formats]) => [folder, formats.unread()]);
  process.stdout.write(JSON.stringify(Object.fromEntries(unread)) + "\n");
}

main();
