"""Judges bodies of createPet by openapi.json, with nothing from the service.

Each line of standard input is a JSON object, and gets one line of output:
  {"body": BASE64}                                     true if the document accepts the body
  {"sent": [BASE64, ...], "ids": [...], "received": BASE64}
                                how many pets of the received list differ from those that were sent
"""

import base64
import decimal
import json
import re
import sys

import jsonschema

# The document says: deeper bodies are malformed.
MAX_DEPTH = 64

sys.set_int_max_str_digits(0)
sys.setrecursionlimit(200_000)

LARGEST = decimal.Decimal(2) ** 70
FRACTION = decimal.Decimal("0.5")


class Malformed(Exception):
    pass


def parse_number(text):
    """The exact value. Exponents beyond Python's become another number of the same kind."""
    try:
        return decimal.Decimal(text)
    except decimal.InvalidOperation:
        digits, exponent = re.split("[eE]", text)
        if not re.search("[1-9]", digits):
            return decimal.Decimal(0)
        return FRACTION if exponent.startswith("-") else LARGEST


def refuse_constant(text):
    raise Malformed(f"{text} is not JSON")


def unique_members(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Malformed("a member is repeated")
    return members


def depth_of(value):
    """Without recursion, since bodies may be nested deeply."""
    deepest = 0
    stack = [(value, 1)]
    while stack:
        each, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(each, dict):
            stack.extend((member, depth + 1) for member in each.values())
        elif isinstance(each, list):
            stack.extend((item, depth + 1) for item in each)
    return deepest


def parse(body):
    try:
        # RFC 8259 lets a parser ignore a byte order mark, and the service does.
        text = body.decode("utf-8").removeprefix("\ufeff")
        value = json.loads(
            text,
            parse_float=parse_number,
            parse_constant=refuse_constant,
            object_pairs_hook=unique_members,
        )
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error
    if depth_of(value) > MAX_DEPTH:
        raise Malformed("values are nested too deeply")
    return value


def is_number(_, value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def is_integer(_, value):
    # 7.0 is an integer in JSON Schema.
    return is_number(_, value) and (isinstance(value, int) or value == value.to_integral_value())


def matches_pattern(_, pattern, value, __):
    # In Python "$" also matches before a line feed at the end, in JSON Schema it does not.
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


def new_pet_validator(document):
    draft = jsonschema.Draft202012Validator
    checker = draft.TYPE_CHECKER.redefine_many({"integer": is_integer, "number": is_number})
    exact = jsonschema.validators.extend(draft, {"pattern": matches_pattern}, type_checker=checker)
    return exact({**document, "$ref": "#/components/schemas/NewPet"})


def count_different(schema, sent, ids, received):
    pets = json.loads(received, parse_float=parse_number, object_pairs_hook=unique_members)
    if len(pets) != len(sent):
        return max(len(pets), len(sent))
    # The document says so in words.
    default = "available"
    different = 0
    for body, number, pet in zip(sent, ids, pets):
        wanted = parse(body)
        # Python compares strings code point by code point, and integers digit by digit.
        expected = {
            "id": number,
            "name": wanted["name"],
            "categoryId": int(wanted["categoryId"]),
            "status": wanted.get("status", default),
        }
        is_same = pet == expected and all(type(pet[name]) is type(expected[name]) for name in pet)
        different += not is_same
    return different


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    schema = document["components"]["schemas"]["NewPet"]
    validator = new_pet_validator(document)

    def accepts(body):
        try:
            return validator.is_valid(parse(body))
        except Malformed:
            return False

    for line in sys.stdin:
        task = json.loads(line)
        if "body" in task:
            verdict = accepts(base64.b64decode(task["body"]))
        else:
            sent = [base64.b64decode(body) for body in task["sent"]]
            received = base64.b64decode(task["received"])
            verdict = count_different(schema, sent, task["ids"], received.decode("utf-8"))
        print(json.dumps(verdict), flush=True)


main()
