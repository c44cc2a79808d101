#!/usr/bin/env node
import { ConfigError, environment, readConfig } from './base/config.ts';
import { NewerDatabaseError } from './db/migrate.ts';
import type { Command, CommandDeps } from './server/cli/command.ts';
import { readSecret } from './server/cli/prompt-password.ts';
import { databaseProblem, openContext, StartError } from './server/open-context.ts';

const site = async () => (await import('./server/cli/site.ts')).siteCommands;
const accounts = async () => (await import('./server/cli/accounts.ts')).accountCommands;

/** Commands by their first word, in the order of the help text. A process loads only its own. */
const COMMANDS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: site,
  work: site,
  migrate: site,
  settings: site,
  openapi: site,
  'first-language': async () => [(await import('./server/cli/switch-language.ts')).firstLanguageCommand],
  'forget-secret': async () => [(await import('./server/cli/forget-secret.ts')).forgetSecretCommand],
  demo: async () => [(await import('./server/cli/demo.ts')).demoCommand],
  import: async () => [
    ...(await import('./server/cli/import.ts')).importCommands,
    ...(await import('./server/cli/import-files.ts')).fileImportCommands,
    ...(await import('./server/cli/import-addresses.ts')).addressCommands,
  ],
  export: async () => [(await import('./server/cli/export.ts')).exportCommand],
  doctor: async () => [(await import('./server/cli/doctor.ts')).doctorCommand],
  user: accounts,
  token: accounts,
  'app-password': accounts,
  unlock: async () => [(await import('./server/cli/unlock.ts')).unlockCommand],
  jobs: async () => (await import('./server/cli/jobs.ts')).jobCommands,
  mail: async () => (await import('./server/cli/mails.ts')).mailCommands,
  payments: async () => (await import('./server/cli/payments.ts')).paymentCommands,
};

// Ignore errors of standard output: a full disk or a closed terminal must not stop the server.
process.stdout.on('error', () => undefined);

const deps: CommandDeps = {
  openContext: (opening) => openContext(readConfig(environment), opening),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  readSecret: (prompt) => readSecret(prompt, { input: process.stdin, output: process.stderr }),
  input: process.stdin,
};

async function help(): Promise<string> {
  const commands = (await Promise.all([...new Set(Object.values(COMMANDS))].map((load) => load()))).flat();
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: marquee COMMAND', '', ...lines, '', 'Run marquee COMMAND --help for details.'].join('\n');
}

/** The command with the longest name that matches the first arguments. */
async function findCommand(args: readonly string[]): Promise<{ command: Command; rest: string[] } | undefined> {
  const [word = ''] = args;
  const commands = Object.hasOwn(COMMANDS, word) ? await COMMANDS[word]?.() : undefined;
  for (const length of [2, 1]) {
    const command = commands?.find(({ name }) => name === args.slice(0, length).join(' '));
    if (command) return { command, rest: args.slice(length) };
  }
  return undefined;
}

/** One sentence about a problem that the operator can fix; the stack trace of any other error. */
function problemOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError || error instanceof NewerDatabaseError)
    return error.message;
  const problem = databaseProblem(readConfig(environment), error);
  if (problem) return problem.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const args = process.argv.slice(2);
const found = await findCommand(args);
if (!found) {
  const isHelp = args.length === 0 || args[0] === 'help' || args[0] === '--help';
  const text = await help();
  (isHelp ? deps.print : deps.printError)(isHelp ? text : `There is no command "${args.join(' ')}".\n\n${text}`);
  process.exitCode = isHelp ? 0 : 2;
} else {
  try {
    process.exitCode = await found.command.run(found.rest, deps);
  } catch (error) {
    deps.printError(problemOf(error));
    process.exitCode = 1;
  }
}
