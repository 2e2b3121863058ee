"""Checks documents against their schemas: validate.py HOME json|sarif|junit FILE..."""

import json
import pathlib
import sys

home, kind, *files = sys.argv[1:]
here = pathlib.Path(__file__).resolve().parent
if kind == "junit":
    import xmlschema

    schema = xmlschema.XMLSchema(str(pathlib.Path(home) / "schemas" / "JUnit.xsd"))
    for file in files:
        schema.validate(file)
else:
    import jsonschema

    path = {
        "json": here.parent.parent / "docs" / "report.schema.json",
        "sarif": pathlib.Path(home) / "schemas" / "sarif.json",
    }[kind]
    schema = json.loads(path.read_text())
    if kind == "json":
        # Users may meet fields that their copy does not know; ours names all of them.
        def close(part):
            if isinstance(part, dict):
                if "properties" in part and part.get("type") == "object":
                    part["additionalProperties"] = False
                for inner in part.values():
                    close(inner)
            elif isinstance(part, list):
                for inner in part:
                    close(inner)

        close(schema)
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    for file in files:
        document = json.loads(pathlib.Path(file).read_text())
        problems = list(validator(schema).iter_errors(document))
        for problem in problems:
            print(f"{file}: {problem.json_path}: {problem.message}")
        if problems:
            sys.exit(1)
