"""Reads bundle.json of hasp: lists, calls and flags of tools. Copy this file, or translate it: bundle.schema.json says the rules."""

import json
import math


class Bundle:
    """The tools of one dialect."""

    def __init__(self, path, dialect):
        with open(path, encoding="utf-8") as file:
            bundle = json.load(file)
        if bundle["version"] != 1:
            raise ValueError(f"{path} has version {bundle['version']}, and this reader knows version 1.")
        self.tools = bundle["tools"]
        self.dialect = bundle["dialects"][dialect]

    @property
    def list(self):
        """The entries of a first request, as the provider takes them."""
        return self.dialect["list"]

    def decode(self, name, sent):
        """Returns the tool that a model called, and the input. Raises an error for an unknown name or shape.
        The bare text of a custom tool of OpenAI becomes the only member of the input."""
        tool = self.dialect["names"][name]
        if isinstance(sent, str):
            return tool, {"text": sent}
        return tool, decode(self.dialect["decoders"].get(tool), sent)

    def classify(self, tool, input, holds):
        """Returns the class and flags of a call with a valid input. `holds(condition, input)` evaluates a condition;
        if it raises an error, the strictest answer of the tool holds."""
        decision = self.tools[tool]["decision"]
        try:
            answer = decision["otherwise"]
            for row in decision["flags"]:
                answer = answer | row["then" if holds(row["if"], input) else "else"]
            rows = (row["then"] for row in decision["rules"] if holds(row["if"], input))
            return answer | next(rows, {})
        except Exception:
            return self.tools[tool]["worstCase"]


def finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no number of JSON.")
    return value


def read(text):
    """Reads JSON text, such as the arguments of a call. Raises an error for NaN and infinities, which Python would take."""
    return json.loads(text, parse_constant=finite, parse_float=finite)


def decode(codec, sent, parts={}):
    """Decodes what a model sent. What no decoder expects stays as it is, for validation to refuse, or is an error."""

    def inner(value, key="value"):
        return decode(codec.get(key), value, parts)

    match codec and codec["kind"], sent:
        case "definitions", _:
            return decode(codec["root"], sent, codec["definitions"])
        case "reference", _:
            return decode(parts[codec["name"]], sent, parts)
        case "text", str():
            return read(sent)
        case "array", list():
            return [inner(item, "items") for item in sent]
        case "pairs", list():
            keys = [pair["key"] for pair in sent]
            return {pair["key"]: inner(pair["value"]) for pair in sent} if len(set(keys)) == len(keys) else sent
        case "wrap", dict():
            return inner(sent[codec["wire"]])
        case "tuple", dict():
            members = dict(inner(sent))
            names = [name for name in codec["names"] if name in members]
            further = members.pop(codec.get("rest"), [])
            items = [members.pop(name) for name in names] + further
            expected = codec["names"] if further else codec["names"][: len(names)]
            return items if names == expected and not members else sent
        case "union", _:
            branch = next(each for each in codec["branches"] if fits(each["wire"], sent))
            return decode(branch.get("value"), sent, parts)
        case "object", dict():
            return decode_object(codec, sent, parts)
    return sent


def decode_object(codec, sent, parts):
    properties, rest = codec["properties"], codec.get("rest", {})
    names = {each.get("wire", name): name for name, each in properties.items()}
    swapped = {name: wire for wire, name in names.items() if wire not in properties}
    result = {}
    for wire, value in sent.items():
        if wire == rest.get("wire"):
            further = decode({**rest, "kind": "pairs"}, value or [], parts)
            if not set(rest["declared"]).isdisjoint(further):
                raise ValueError(f"{wire} names a declared member")
            result |= further
        elif wire not in names:
            result[swapped.get(wire, wire)] = decode(codec.get("additional"), value, parts)
        else:
            rule = properties[names[wire]]
            if "absent" in rule and value is None:
                continue
            if rule.get("absent") == "wrapped":
                value = value["value"]
            result[names[wire]] = decode(rule.get("value"), value, parts)
    return result


TYPES = {
    dict: ["object"],
    list: ["array"],
    str: ["string"],
    bool: ["boolean"],
    int: ["integer", "number"],
    float: ["number"],
    type(None): ["null"],
}


def fits(schema, value):
    """Judges a value by the few keywords that the branches of a union have."""
    if isinstance(schema, bool):
        return schema
    types, properties = schema.get("type", []), schema.get("properties", {})
    return (
        "not" not in schema
        and (types == [] or any(each in types for each in TYPES[type(value)]))
        and ("enum" not in schema or json.dumps(value) in map(json.dumps, schema["enum"]))
        and all(name in value for name in schema.get("required", []))
        and all(fits(test, value[name]) for name, test in properties.items() if name in value)
    )
