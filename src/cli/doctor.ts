import { examine, repair } from '../resources/tickets/doctor.ts';
import { type Command, CommandError, command } from './command.ts';

/** Recounts what is kept as a number: places sold and held, shared places, events of a term. */
export const doctorCommand: Command = command({
  name: 'doctor',
  summary: 'Count everything anew and say which numbers are off.',
  words: [],
  options: { fix: { about: 'Put the numbers right.' } },
  notes:
    'Ends with status 1 when something is off and --fix is not given. Stop the server before --fix on a busy site.',
  async work({ context, options, print }) {
    const findings = options.fix ? await repair(context.db) : await examine(context.db);
    for (const { counter, id, stored, counted } of findings)
      print(`${counter} of ${id} says ${stored}, counted ${counted}`);
    if (findings.length === 0) print('Every number is right.');
    else if (options.fix) print(`Put right: ${findings.length}.`);
    else throw new CommandError(`${findings.length} numbers are off. Run: marquee doctor --fix`);
  },
});
