import { execFile } from 'node:child_process';
import { createHash, type KeyObject, verify } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from './attendees.ts';
import { asHolder, type Bought, buy } from './buyers.ts';
import { pageVisitor } from './page-visitor.ts';
import { makeSeason } from './season.ts';
import { useTestServer } from './server.ts';
import { ADA } from './shopper.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';
import { makeCertificates, makeGoogleAccount } from './wallet-keys.ts';

const KEY = 'the key of the door';
const run = promisify(execFile);

describe.each(usualDatabases)('tickets for wallets on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: KEY });
  let googleKey: KeyObject;
  let folder: string;
  let apple: string;
  let event: number;
  let seat: number;
  let settings: { applePass: string; googleWallet: string };
  beforeAll(async () => {
    folder = await temporaryFolder('wallets');
    apple = join(folder, 'apple');
    settings = { applePass: apple, googleWallet: join(folder, 'google') };
    await makeCertificates(apple);
    googleKey = await makeGoogleAccount(settings.googleWallet);
    const venue = { venue: 'Harbour Hall', address: '12 Quay Street', city: 'Boston' };
    event = await makeEvent(server(), { title: 'Lantern Night', venue });
    seat = await makeSeat(server(), event, 1000, { name: 'Standing', price: '0' });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const buyOne = async (name = 'Łukasz 😀'): Promise<Bought> =>
    buy(server(), [seat], { attendees: [{ ticket_id: seat, full_name: name }] });

  async function passOf(order: Bought, headers: Record<string, string> = order.headers) {
    const path = `/calendar/tickets/v1/attendees/${order.attendees[0]?.id}/ticket.pkpass`;
    const response = await server().request(path, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return { files, pass: JSON.parse(strFromU8(files['pass.json'] ?? new Uint8Array())) };
  }

  async function googleOf(order: Bought, asking: object = { headers: order.headers }) {
    const { body, status } = await server().ask(
      `GET tickets:/attendees/${order.attendees[0]?.id}/wallet/google`,
      asking,
    );
    if (status !== 200) return { status, code: body.code };
    const [, jwt = ''] = /^https:\/\/pay\.google\.com\/gp\/v\/save\/(.+)$/.exec(body.url) ?? [];
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    const isValid = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      googleKey,
      Buffer.from(signature, 'base64url'),
    );
    const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    return { status, isValid, head: parse(head), claims: parse(claims) };
  }

  it('are not offered by a site that is not set up for them', async () => {
    const order = await buyOne();
    for (const path of ['ticket.pkpass', 'wallet/google']) {
      const asked = `GET tickets:/attendees/${order.attendees[0]?.id}/${path}`;
      expect(await server().ask(asked, { headers: order.headers })).toMatchObject({
        status: 404,
        body: { code: 'wallet-not-configured' },
      });
    }
    const page = await server().request(new URL(order.attendees[0]?.url ?? '').pathname);
    expect(await page.text()).not.toContain('Wallet');
  });

  describe('on a site that is set up for them', () => {
    beforeAll(() => server().restart(settings));

    it('are passes that openssl verifies up to the root, and whose code opens the door', async () => {
      const order = await buyOne();
      const { files, pass } = await passOf(order);
      expect(Object.keys(files).sort()).toEqual(
        ['icon.png', 'icon@2x.png', 'icon@3x.png', 'manifest.json', 'pass.json', 'signature'].sort(),
      );
      const manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()));
      for (const [name, hash] of Object.entries(manifest))
        expect(
          createHash('sha1')
            .update(files[name] ?? '')
            .digest('hex'),
        ).toBe(hash);
      await writeFile(join(folder, 'manifest.json'), files['manifest.json'] ?? '');
      await writeFile(join(folder, 'signature'), files.signature ?? '');
      const check = (content: string) =>
        run('openssl', [
          ...['smime', '-verify', '-inform', 'DER', '-in', join(folder, 'signature'), '-content', content],
          ...['-CAfile', join(apple, 'root.pem'), '-purpose', 'any', '-out', '/dev/null'],
        ]);
      expect((await check(join(folder, 'manifest.json'))).stderr).toMatch(/Verification successful/i);
      await writeFile(join(folder, 'changed.json'), '{}');
      await expect(check(join(folder, 'changed.json'))).rejects.toThrow(/Verification failure/i);

      expect(pass).toMatchObject({
        formatVersion: 1,
        passTypeIdentifier: 'pass.test.marquee',
        teamIdentifier: 'TEAM123456',
        organizationName: 'Marquee',
        description: 'Lantern Night',
        relevantDate: '2027-03-06T23:30:00.000Z',
      });
      const shown = JSON.stringify(pass.eventTicket);
      for (const part of ['Lantern Night', 'Łukasz 😀', 'Standing', 'Harbour Hall', order.body.order.number])
        expect(shown).toContain(part);
      const [{ message, format }] = pass.barcodes;
      expect(format).toBe('PKBarcodeFormatQR');
      const { searchParams } = new URL(message);
      const scan = await server().request(`/${searchParams.get('path')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...Object.fromEntries(searchParams), api_key: KEY }),
      });
      expect(scan.status).toBe(201);
    });

    it('are JWTs that the public key verifies', async () => {
      const order = await buyOne();
      const { isValid, head, claims } = await googleOf(order);
      expect([isValid, head]).toEqual([true, { alg: 'RS256', typ: 'JWT' }]);
      expect(claims).toMatchObject({ iss: 'hall@project.test', aud: 'google', typ: 'savetowallet' });
      const {
        eventTicketClasses: [kept],
        eventTicketObjects: [ticket],
      } = claims.payload;
      expect(kept).toMatchObject({
        eventName: { defaultValue: { language: 'en', value: 'Lantern Night' } },
        venue: { name: { defaultValue: { value: 'Harbour Hall' } } },
      });
      expect(ticket).toMatchObject({ classId: kept.id, ticketHolderName: 'Łukasz 😀', state: 'ACTIVE' });
      expect(ticket.id).toMatch(/^3388000000012345678\.[\w.-]+$/);
      const { id = 0, security_code = '' } = order.attendees[0] ?? {};
      const drawn = await server().ask(`GET tickets:/qr/${id}`, { query: { security_code } });
      expect(ticket.barcode).toEqual({ type: 'QR_CODE', value: drawn.body.content, alternateText: security_code });
    });

    it('hold the code of their ticket only, and no name for a bare code', async () => {
      const order = await buy(server(), [seat, seat]);
      const [first, second] = order.attendees;
      const { pass } = await passOf(order);
      const { claims } = await googleOf(order);
      const token = asHolder(first?.url)['x-ticket-token'];
      for (const text of [JSON.stringify(pass), JSON.stringify(claims)]) {
        expect(text).toContain(first?.security_code);
        for (const secret of [order.token, token, second?.security_code ?? '']) expect(text).not.toContain(secret);
        expect(text).not.toContain('/order/');
        expect(text).not.toContain('/ticket/');
      }
      const bare = await googleOf(order, { query: { security_code: first?.security_code } });
      expect(JSON.stringify(bare.claims)).not.toContain(ADA.name);
    });

    it('are another pass after a transfer, and none for the former holder', async () => {
      const order = await buyOne();
      const before = await passOf(order);
      const [given] = order.attendees;
      const { body } = await server().ask(`POST tickets:/attendees/${given?.id}/transfer`, {
        body: { full_name: 'Bo', email: 'bo@example.test' },
        headers: asHolder(given?.url),
      });
      expect(await googleOf(order)).toEqual({ status: 403, code: 'ticket-not-accessible' });
      const after = await passOf(order, asHolder(body.url));
      expect(after.pass.serialNumber).not.toBe(before.pass.serialNumber);
      expect(JSON.stringify(after.pass)).not.toContain('Łukasz');
    });

    it('are made for a series pass and for hostile names', async () => {
      const { dates } = await makeSeason(server());
      await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door' }] });
      const order = await buy(server(), [dates[0] ?? 0], { payment: 'door' });
      expect(JSON.stringify((await passOf(order)).pass)).toContain('Dates of the pass');
      for (const name of ['x'.repeat(200), '"}],\\', '\u202e<b>محمد']) {
        const hostile = await buyOne(name);
        expect((await passOf(hostile)).pass.formatVersion).toBe(1);
        expect((await googleOf(hostile)).isValid).toBe(true);
      }
    });

    it('are linked from the page of the ticket', async () => {
      const order = await buyOne();
      const visitor = pageVisitor((path, init) => server().request(path, init));
      const path = new URL(order.attendees[0]?.url ?? '').pathname;
      const { text } = await visitor.get(path);
      expect(text).toContain(`href="${path}ticket.pkpass">Add to Apple Wallet</a>`);
      expect(text).toMatch(/href="https:\/\/pay\.google\.com\/gp\/v\/save\/ey[\w.-]+">Add to Google Wallet<\/a>/);
      const pass = await server().request(`${path}ticket.pkpass`);
      expect(pass.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
      server().restart({ applePass: apple, googleWallet: join(folder, 'nowhere') });
      const without = await visitor.get(path);
      expect([without.status, without.text.includes('Google Wallet')]).toEqual([200, false]);
      server().restart(settings);
    });
  });

  it('are refused, and nothing of the keys is told, while a folder is incomplete or out of date', async () => {
    const order = await buyOne();
    const expired = join(folder, 'expired');
    await makeCertificates(expired, '1');
    for (const given of [
      { applePass: join(folder, 'nowhere'), googleWallet: join(folder, 'nowhere') },
      { applePass: expired, googleWallet: apple },
    ]) {
      server().restart(given);
      server().clock.now = new Date('2027-03-01T12:00:00Z');
      for (const path of ['ticket.pkpass', 'wallet/google']) {
        const asked = `GET tickets:/attendees/${order.attendees[0]?.id}/${path}`;
        const { status, body, text } = await server().ask(asked, { headers: order.headers });
        expect([status, body.code]).toEqual([404, 'wallet-not-configured']);
        expect(text).not.toContain('PRIVATE');
        expect(text).not.toContain(folder);
      }
    }
    server().restart({});
  });
});
