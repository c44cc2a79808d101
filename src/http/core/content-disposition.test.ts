import { expect, it } from 'vitest';
import { fileNameOf } from './content-disposition.ts';

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
