// Writes the packages that a process has loaded to the file LOADED_PACKAGES, a name on each line, when it ends.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const packages = new Set();
registerHooks({
  load(url, context, next) {
    const [name] = /(?<=.*\/node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(url) ?? [];
    if (name) packages.add(name);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES, [...packages].sort().join('\n')));
