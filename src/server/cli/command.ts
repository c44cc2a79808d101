import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Context } from '../../base/context.ts';
import { ApiError, InvalidParams } from '../../http/core/errors.ts';
import { translate } from '../../lib/i18n.ts';
import type { OpenContext, OpenOptions } from '../open-context.ts';

/** Dependencies of a command, provided by the process. */
export interface CommandDeps {
  /** Opens the configured database and migrates it to the newest schema. */
  openContext(openOptions?: OpenOptions): Promise<OpenContext>;
  print(line: string): void;
  /** Prints errors to standard error, so that they do not end up in a redirected file or a pipe. */
  printError(line: string): void;
  /** Prompts for a line without echoing it. */
  readSecret(prompt: string): Promise<string>;
  /** Standard input. */
  input?: AsyncIterable<Uint8Array>;
}

export interface Command {
  /** As typed: `user add`. */
  name: string;
  /** One line of text. */
  summary: string;
  /** The full help text of the command. */
  usage: string;
  /** Returns the exit status: 0 success, 1 failure, 2 wrong usage. */
  run(args: string[], deps: CommandDeps): Promise<number>;
}

/** Stops a command; the message is one sentence for the operator. */
export class CommandError extends Error {}

interface CommandContext extends CommandDeps {
  context: Context;
  /** The positional arguments, as many as `words` names. */
  words: string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

interface Definition {
  name: string;
  summary: string;
  /** Names of the positional arguments; `[NAME]` is optional. */
  words: readonly string[];
  /** Options by name, with their help text; an option without `value` is a flag. */
  options?: Readonly<Record<string, { value?: string; about: string; required?: boolean }>>;
  /** Additional lines of the help text. */
  notes?: string;
  openOptions?: OpenOptions;
  work(work: CommandContext): Promise<void>;
}

/** A command that uses the database. Help, argument checks and error reports are the same for all of them. */
export function command({ name, summary, words, options = {}, notes, openOptions, work }: Definition): Command {
  const usage = usageOf({ name, summary, words, options, notes });
  return {
    name,
    summary,
    usage,
    async run(args, deps) {
      const call = readCall({ words, options }, args);
      if (call === 'help') {
        deps.print(usage);
        return 0;
      }
      if (typeof call === 'string') {
        deps.printError(`${call}\n\n${usage}`);
        return 2;
      }
      return perform(deps, { ...openOptions, isCommand: true }, (context) => work({ ...deps, ...call, context }));
    },
  };
}

type Shape = Required<Pick<Definition, 'words' | 'options'>>;

function usageOf({
  name,
  summary,
  words,
  options,
  notes,
}: Shape & Pick<Definition, 'name' | 'summary' | 'notes'>): string {
  const written = Object.entries(options).map(([option, { value }]) => `--${option}${value ? ` ${value}` : ''}`);
  const entries = Object.values(options).map(({ required }, index) =>
    required ? written[index] : `[${written[index]}]`,
  );
  const width = Math.max(...written.map(({ length }) => length), 0) + 2;
  const lines = Object.values(options).map(({ about }, index) => `  ${(written[index] ?? '').padEnd(width)}${about}`);
  const call = ['marquee', name, ...words, ...entries].join(' ');
  return [
    `Usage: ${call}`,
    '',
    summary,
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...(notes ? ['', notes] : []),
  ].join('\n');
}

/** The parsed arguments, `help`, or a sentence that describes what is wrong. */
function readCall({ words, options }: Shape, args: string[]): Pick<CommandContext, 'words' | 'options'> | string {
  const config: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const [name, { value }] of Object.entries(options)) config[name] = { type: value ? 'string' : 'boolean' };
  try {
    const parsed = parseArgs({ args, options: config, allowPositionals: true, strict: true });
    if (parsed.values.help) return 'help';
    const missing = words.find((word, index) => !word.startsWith('[') && parsed.positionals[index] === undefined);
    if (missing) return `${missing} is missing.`;
    const extra = parsed.positionals[words.length];
    if (extra !== undefined) return `"${extra}" is one word too many; put names with spaces in quotes.`;
    const lacking = Object.entries(options).find(
      ([name, { required }]) => required && parsed.values[name] === undefined,
    );
    if (lacking) return `--${lacking[0]} is missing.`;
    // No option sets `multiple`, so no value is a list.
    return { words: parsed.positionals, options: parsed.values as CommandContext['options'] };
  } catch (error) {
    return error instanceof Error ? (error.message.split(/\.? To specify| To specify/)[0] ?? '') : String(error);
  }
}

async function perform(
  deps: CommandDeps,
  openOptions: OpenOptions,
  work: (context: Context) => Promise<void>,
): Promise<number> {
  const context = await deps.openContext(openOptions);
  try {
    await work(context);
    return 0;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    deps.printError(reason);
    return 1;
  } finally {
    await context.close();
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.message;
  if (error instanceof ApiError) return translate('en', error.messageKey, error.values);
  if (!(error instanceof InvalidParams)) return undefined;
  return [...error.problems].map(([name, { key, values }]) => translate('en', key, { name, ...values })).join(' ');
}
