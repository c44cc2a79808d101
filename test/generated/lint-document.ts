import SwaggerParser from '@apidevtools/swagger-parser';
import { lint, loadConfig } from '@redocly/openapi-core';

/** Checks openapi.json with swagger-parser and with the rules of Redocly; a warning counts as an error. */

const file = new URL('../../openapi.json', import.meta.url).pathname;

await SwaggerParser.validate(file);

const config = await loadConfig({ configPath: new URL('redocly.yaml', import.meta.url).pathname });
const problems = await lint({ ref: file, config });
for (const { ruleId, severity, message, location } of problems) {
  process.stdout.write(`${severity} ${ruleId} at ${location[0]?.pointer ?? '?'}: ${message}\n`);
}
process.stdout.write(`${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
