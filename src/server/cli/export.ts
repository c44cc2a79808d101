import { resolve } from 'node:path';
import { type Command, CommandError, command } from './command.ts';
import { commandContext } from './import.ts';

export const exportCommand: Command = command({
  name: 'export',
  summary: 'Writes everything into a folder: all records as JSON, lists as CSV, events as iCalendar, and images.',
  words: ['FOLDER'],
  options: { only: { value: 'PARTS', about: 'Some of json, csv, ical and media, separated by commas.' } },
  notes:
    'The folder must be empty, or not exist yet. Only your account can read it: it has the data of your customers.\n' +
    'Passwords, tokens, keys and the security codes of tickets are left out, so it is not a backup. The server may\n' +
    'be running. docs/moving.md describes the files.',
  async work({ context, words: [folder = ''], options, print }) {
    const { EXPORT_PARTS, ExportError, exportSite } = await import('../../moving/export/export-site.ts');
    const named = typeof options.only === 'string' ? options.only.split(',').map((part) => part.trim()) : EXPORT_PARTS;
    const parts = EXPORT_PARTS.filter((part) => named.includes(part));
    if (parts.length < new Set(named).size || parts.length === 0)
      throw new CommandError(`--only takes ${EXPORT_PARTS.join(', ')}, separated by commas.`);
    const ctx = await commandContext(context, print);
    try {
      const { missing } = await exportSite({
        ...{ ctx, folder: resolve(folder), parts },
        onFile: (name, count) => print(`${name}: ${count}`),
      });
      for (const file of missing) print(`Missing in the uploads folder: ${file}`);
      print(`Exported to ${resolve(folder)}.`);
    } catch (error) {
      if (error instanceof ExportError) throw new CommandError(error.message);
      throw error;
    }
  },
});
