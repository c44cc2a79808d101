import { PKPass } from 'passkit-generator';
import type { PassSheet } from './sheets.ts';

/** Signs a pass and packs it. */
export function applePass({ pass, pictures, certificates }: PassSheet): Uint8Array<ArrayBuffer> {
  const files = Object.entries(pictures).map(([name, bytes]) => [name, Buffer.from(bytes)] as const);
  const packed = new PKPass(
    { ...Object.fromEntries(files), 'pass.json': Buffer.from(JSON.stringify(pass)) },
    certificates,
  ).getAsBuffer();
  return new Uint8Array(packed);
}
