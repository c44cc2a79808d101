import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Keys with which sites make tickets for wallets. */

const run = promisify(execFile);

/** A chain of certificates, made with openssl as Apple makes its own: a root, an intermediate one, and one for passes. */
export async function makeCertificates(folder: string, days = '3650'): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'ca.cnf'), 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n');
  const request = (name: string, subject: string) =>
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
  await openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', '-keyout', 'root.key', '-out', 'root.pem'],
    ...['-subj', '/CN=Root'],
  );
  await request('wwdr', '/CN=Worldwide Developer Relations');
  await openssl(
    ...['x509', '-req', '-in', 'wwdr.csr', '-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-days', '3650'],
    ...['-extfile', 'ca.cnf', '-out', 'wwdr.pem'],
  );
  await request('key', '/UID=pass.test.marquee/CN=Pass Type ID: pass.test.marquee/OU=TEAM123456/O=Hall/C=CA');
  await openssl(
    ...['x509', '-req', '-in', 'key.csr', '-CA', 'wwdr.pem', '-CAkey', 'wwdr.key', '-CAcreateserial', '-days', days],
    ...['-out', 'certificate.pem'],
  );
  await openssl('rsa', '-in', 'key.key', '-out', 'key.pem');
}

/** The key of a service account of Google; returns its public half. */
export async function makeGoogleAccount(folder: string): Promise<KeyObject> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await mkdir(folder, { recursive: true });
  const account = { client_email: 'hall@project.test', private_key, type: 'service_account' };
  await writeFile(join(folder, 'service-account.json'), JSON.stringify(account));
  await writeFile(join(folder, 'issuer'), '3388000000012345678\n');
  return publicKey;
}
