import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { compareImageFiles } from './image-files.ts';

describe.each(DATABASES)('the files of images on %s', (kind) => {
  const server = useTestServer(kind);

  it('the check finds missing files and stray files', async () => {
    const { ask, context } = server();
    const folder = join(context.config.data, 'uploads');
    const compare = () => compareImageFiles(context.db, folder);
    expect(await compare()).toEqual({});
    for (const size of [800, 100])
      await ask('POST admin:/media', { as: 'editor', form: upload(await png(size, size)) });
    expect(await compare()).toEqual({});

    const rows = await context.db.query.selectFrom('media').select(['file', 'sizes']).orderBy('id').execute();
    const { file, sizes } = rows[0] ?? { file: '', sizes: '{}' };
    const [rendition] = Object.values(JSON.parse(sizes) as Record<string, { file: string }>);
    await rm(join(folder, rendition?.file ?? ''));
    expect(await compare()).toEqual({ missing: { count: 1, example: rendition?.file } });

    const stray = file.replace(/\.png$/, '-1x1.png');
    await mkdir(join(folder, '1999'), { recursive: true });
    await writeFile(join(folder, '1999', 'stray.png'), '');
    await writeFile(join(folder, stray), '');
    const found = await compare();
    expect(found.stray).toMatchObject({ count: 2 });
    expect(['1999/stray.png', stray]).toContain(found.stray?.example);
  });
});
