// Hold each file that is named against the official schema of SARIF 2.1.0.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The packages are installed in the folder in which this is run.
const require = createRequire(`${process.cwd()}/`);
const Ajv = require('ajv-draft-04').default;
const formats = require('ajv-formats').default;
const path = require.resolve('@microsoft/jest-sarif').replace(/index\.js$/, '');
const schema = JSON.parse(readFileSync(`${path}schemas/sarif-2.1.0-rtm.5.json`, 'utf8'));

// One pattern of that schema is none by the stricter rules of Unicode mode.
const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true });
formats(ajv);
const validate = ajv.compile(schema);

let bad = 0;
for (const file of process.argv.slice(2)) {
	if (validate(JSON.parse(readFileSync(file, 'utf8')))) continue;
	bad = 1;
	for (const e of validate.errors) console.log(`${file}: ${e.instancePath} ${e.message}`);
}
process.exit(bad);
