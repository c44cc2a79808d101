import { expect, it } from 'vitest';
import { fileHeader, fileNameOf } from './content-disposition.ts';

it.each([
  ['attachment; filename=poster.png', 'poster.png'],
  ['attachment; filename="My poster.png"', 'My poster.png'],
  ['form-data; name="file"; filename="a;b.png"', 'a;b.png'],
  ['Attachment;FileName=poster.png; size=3', 'poster.png'],
  ["attachment; filename=x.png; filename*=UTF-8''caf%C3%A9.png", 'café.png'],
  ["attachment; filename*=utf-8''%E0%A4%A", '%E0%A4%A'],
  ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
  ['attachment; filename=""', undefined],
  ['attachment', undefined],
  ['', undefined],
  [null, undefined],
])('reads the file name of %j', (header, name) => {
  expect(fileNameOf(header)).toBe(name);
});

it.each([
  ['tickets-8KQ2.pdf', 'inline; filename="tickets-8KQ2.pdf"'],
  ['café.ics', `inline; filename="caf%C3%A9.ics"; filename*=UTF-8''caf%C3%A9.ics`],
  [
    'a"\r\nb\'(1).ics',
    expect.stringMatching(/^inline; filename="a%22%0D%0Ab%27%281%29\.ics"; filename\*=UTF-8''a%22\S+$/),
  ],
])('writes the file name %j so that it can be read back', (name, header) => {
  const { 'Content-Disposition': written } = fileHeader('inline', name);
  expect(written).toEqual(header);
  expect(fileNameOf(written)).toBe(name);
});
