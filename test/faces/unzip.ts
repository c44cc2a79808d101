import { inflateRawSync } from 'node:zlib';

const END = Buffer.from('PK\u0005\u0006');

/** The texts of a ZIP archive, such as a spreadsheet, by their paths: what its central directory names. */
export function unzip(archive: Buffer): Record<string, string> {
  const end = archive.lastIndexOf(END);
  if (end === -1) throw new Error('This is not a ZIP archive');
  const files: Record<string, string> = {};
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    const isStored = archive.readUInt16LE(at + 10) === 0;
    files[archive.toString('utf8', at + 46, at + 46 + name)] = (isStored ? packed : inflateRawSync(packed)).toString();
    at += 46 + name + extra + comment;
  }
  return files;
}
