import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { type MailServer, sendMails, startMailServer } from '../../../test/mail-server.ts';
import { NOON, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';
import type { Config } from '../../base/config.ts';
import { mailCommands } from './mails.ts';

describe('the commands for mails', () => {
  const server = useTestServer('sqlite', {}, { isFreshEachTime: true });
  let smtp: MailServer;
  beforeAll(async () => {
    smtp = await startMailServer();
  });
  afterAll(() => smtp.close());

  async function run(call: string, settings: Partial<Config> = {}): Promise<[status?: number, text?: string]> {
    const name = call.split(' ').slice(0, 2).join(' ');
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const { context } = server();
    const config = { ...context.config, ...settings };
    const openContext = async () => ({ ...context, config, close: async () => undefined, writeLine: () => undefined });
    const deps = { openContext, print, printError: print, readSecret: async () => '' };
    const status = await mailCommands.find((one) => one.name === name)?.run(call.split(' ').slice(2), deps);
    return [status, printed.join('\n')];
  }

  it('send a test mail, or say why it cannot be sent', async () => {
    const [status, text] = await run('mail test ada@example.test', smtp.settings);
    expect([status, text]).toEqual([
      0,
      expect.stringMatching(/^The server has accepted the mail: 250 .*\nSPF: not found/),
    ]);
    const [received] = smtp.take();
    expect(received?.mail).toMatchObject({ subject: 'Test mail of Marquee', text: expect.stringContaining('arrive.') });
    smtp.refuse = () => ({ code: 550, text: 'relaying denied' });
    expect(await run('mail test ada@example.test', smtp.settings)).toEqual([
      1,
      expect.stringMatching(/^The mail was not sent: 550 relaying denied\.$/),
    ]);
    smtp.refuse = () => undefined;
    expect(await run('mail test ada@example.test', { ...smtp.settings, dkimKey: '/no/such.pem' })).toEqual([
      1,
      'The mail was not sent: the file of MARQUEE_DKIM_KEY cannot be read (ENOENT).',
    ]);
  });

  it('list mails, and send held mails that are recent enough', async () => {
    const seat = await makeSeat(server(), await makeEvent(server()), 10, { price: '0' });
    expect(await run('mail list')).toEqual([0, 'There are no such mails.']);
    await buy(server(), [seat]);
    server().clock.now = new Date(NOON.getTime() + 5 * 3_600_000);
    await buy(server(), [seat]);
    await sendMails(server().context, {});
    expect((await run('mail list --status held'))[1]).toMatch(/^ID +KIND.*\n2 +tickets +order .* held .*\n1 +tickets /);
    expect(await run('mail send-held')).toEqual([1, 'MARQUEE_SMTP_URL is not set: mails are held.']);
    expect(await run('mail send-held --since 1h', smtp.settings)).toEqual([0, 'Mails that the server sends now: 1.']);
    await sendMails(server().context, smtp.settings);
    expect(smtp.take()).toHaveLength(1);
    expect(await run('mail send-held', smtp.settings)).toEqual([0, 'Mails that the server sends now: 1.']);
  });

  it.each([
    ['mail test example', 1, /"example" is not an e-mail address/],
    ['mail test ada@example.test', 1, /MARQUEE_SMTP_URL is not set/],
    ['mail list --status lost', 1, /--status must be one of: queued, sent/],
    ['mail send-held --since soon', 1, /--since must be a time such as/],
  ])('refuse "%s"', async (call, status, text) => {
    expect(await run(call)).toEqual([status, expect.stringMatching(text)]);
  });
});
