// Imports the files given as arguments and prints, as JSON, each expression that `new RegExp` builds meanwhile:
// file, source and flags. A separate program, since the files may already have been imported elsewhere.
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2);
const Original = RegExp;
const made = [];
globalThis.RegExp = new Proxy(Original, {
  construct(target, args, newTarget) {
    const expression = Reflect.construct(target, args, newTarget);
    const stack = new Error().stack ?? '';
    const file = files.find((name) => stack.includes(pathToFileURL(name).href));
    if (file) made.push({ file, source: expression.source, flags: expression.flags });
    return expression;
  },
});
for (const file of files) await import(pathToFileURL(file).href);
process.stdout.write(JSON.stringify(made));
