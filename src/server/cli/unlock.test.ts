import { expect, it } from 'vitest';
import { startTestServer } from '../../../test/server.ts';
import { unlockCommand } from './unlock.ts';

it('an operator can unlock an account, an address or all of them', async () => {
  const server = await startTestServer('sqlite');
  const { context, ask } = server;
  const unlock = async (...args: string[]) => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const openContext = async () => ({ ...context, close: async () => undefined, writeLine: () => undefined });
    await unlockCommand.run(args, { openContext, print, printError: print, readSecret: async () => '' });
    return printed.join('\n');
  };
  const signIn = async (name: string, password: string, from: string) => {
    const authorization = `Basic ${btoa(`${name}:${password}`)}`;
    return (await ask('GET admin:/me', { headers: { authorization }, from })).status;
  };
  const fail = async (times: number, name: (index: number) => string, from: string) => {
    for (let index = 0; index < times; index += 1) await signIn(name(index), 'wrong', from);
  };

  await fail(10, () => 'editor', '203.0.113.1');
  expect(await signIn('editor', 'editor-password', '203.0.113.2')).toBe(429);
  expect(await unlock('editor@example.test')).toBe('editor@example.test may try again.');
  expect(await unlock('editor')).toBe('Nothing was counted against editor.');
  expect(await signIn('editor', 'editor-password', '203.0.113.2')).toBe(200);

  await fail(50, (index) => `nobody ${index}`, '2001:db8::1');
  expect(await signIn('author', 'author-password', '2001:db8::2')).toBe(429);
  expect(await unlock('2001:DB8:0::7')).toBe('2001:DB8:0::7 may try again.');
  expect(await signIn('author', 'author-password', '2001:db8::2')).toBe(200);

  await fail(10, () => 'door', '203.0.113.1');
  expect(await unlock()).toBe('All accounts and addresses may try again.');
  expect(await signIn('door', 'door-password', '203.0.113.2')).toBe(200);
  expect(await unlock('nobody')).toMatch(/no account/);
  await server.close();
});
