import type { Context } from '../src/base/context.ts';
import type { Command } from '../src/server/cli/command.ts';

/** Result of a command and the lines that it printed. */
interface Outcome {
  status: number | undefined;
  /** How often it closed the database. */
  closed: number;
  out: string[];
  errors: string[];
}

/** Runs a command on a database that stays open. `secret` is what is typed at the prompt. */
export async function runCommand(
  command: Command | undefined,
  context: Context,
  args: string[],
  secret = '',
): Promise<Outcome> {
  const out: string[] = [];
  const errors: string[] = [];
  let closed = 0;
  const status = await command?.run(args, {
    openContext: async () => ({ ...context, writeLine: () => undefined, close: async () => void closed++ }),
    print: (line) => void out.push(line),
    printError: (line) => void errors.push(line),
    readSecret: async () => secret,
  });
  return { status, closed, out, errors };
}
