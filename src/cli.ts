#!/usr/bin/env node
import { ConfigError, environment, readConfig } from './base/config.ts';
import { NewerDatabaseError } from './db/migrate.ts';
import { accountCommands } from './server/cli/accounts.ts';
import type { Command, CommandDeps } from './server/cli/command.ts';
import { demoCommand } from './server/cli/demo.ts';
import { doctorCommand } from './server/cli/doctor.ts';
import { forgetSecretCommand } from './server/cli/forget-secret.ts';
import { jobCommands } from './server/cli/jobs.ts';
import { mailCommands } from './server/cli/mails.ts';
import { paymentCommands } from './server/cli/payments.ts';
import { readSecret } from './server/cli/prompt-password.ts';
import { siteCommands } from './server/cli/site.ts';
import { firstLanguageCommand } from './server/cli/switch-language.ts';
import { unlockCommand } from './server/cli/unlock.ts';
import { databaseProblem, openContext, StartError } from './server/main.ts';

const commands: readonly Command[] = [
  ...siteCommands,
  firstLanguageCommand,
  forgetSecretCommand,
  demoCommand,
  doctorCommand,
  ...accountCommands,
  unlockCommand,
  ...jobCommands,
  ...mailCommands,
  ...paymentCommands,
];

// A full disk or a closed terminal ends no server: its lines are for an operator who may not be there.
process.stdout.on('error', () => undefined);

const deps: CommandDeps = {
  openContext: (opening) => openContext(readConfig(environment), opening),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  readSecret: (prompt) => readSecret(prompt, { input: process.stdin, output: process.stderr }),
  input: process.stdin,
};

function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: marquee COMMAND', '', ...lines, '', 'marquee COMMAND --help says more about one of them.'].join('\n');
}

/** The command with the longest name that matches the first arguments. */
function findCommand(args: readonly string[]): { command: Command; rest: string[] } | undefined {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === args.slice(0, length).join(' '));
    if (command) return { command, rest: args.slice(length) };
  }
  return undefined;
}

/** One sentence for what the operator can fix; anything else is a fault and prints a stack trace. */
function problemOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError || error instanceof NewerDatabaseError)
    return error.message;
  const problem = databaseProblem(readConfig(environment), error);
  if (problem) return problem.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const args = process.argv.slice(2);
const found = findCommand(args);
if (!found) {
  const isHelp = args.length === 0 || args[0] === 'help' || args[0] === '--help';
  (isHelp ? deps.print : deps.printError)(isHelp ? help() : `There is no command "${args.join(' ')}".\n\n${help()}`);
  process.exitCode = isHelp ? 0 : 2;
} else {
  try {
    process.exitCode = await found.command.run(found.rest, deps);
  } catch (error) {
    deps.printError(problemOf(error));
    process.exitCode = 1;
  }
}
