// Writes the packages and the modules of Marquee that a process has loaded, and the formats of `Intl` that it has made,
// to the file LOADED_MODULES, a name on each line, when it ends.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const names = new Set();
registerHooks({
  load(url, context, next) {
    const [name] = /(?<=.*\/node_modules\/)(?:@[^/]+\/)?[^/]+|(?<=\/)src\/.+/.exec(url) ?? [];
    if (name) names.add(name);
    return next(url, context);
  },
});
for (const format of ['DateTimeFormat', 'DisplayNames', 'NumberFormat', 'PluralRules', 'RelativeTimeFormat'])
  Intl[format] = new Proxy(Intl[format], {
    construct(Format, given) {
      names.add(`Intl.${format}`);
      return new Format(...given);
    },
  });
process.on('exit', () => {
  // A part of Node, which registers no hook for it.
  if (process.moduleLoadList.some((name) => name.includes('deps/undici'))) names.add('undici');
  writeFileSync(process.env.LOADED_MODULES, [...names].sort().join('\n'));
});
