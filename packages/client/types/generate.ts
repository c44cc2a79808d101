import { readFileSync, writeFileSync } from 'node:fs';
import { documentTypes } from './document-types.ts';

/** Writes the types of the interface. Run by `npm run openapi`, after the document. */
const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
writeFileSync(new URL('../src/api.ts', import.meta.url), documentTypes(document));
