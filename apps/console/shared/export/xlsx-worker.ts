import write from 'write-excel-file/universal';
import { cellsOf, type Sheet, widthsOf } from './cells.ts';

/** Writes a spreadsheet in a worker, since that takes seconds. */
addEventListener('message', async ({ data: sheet }: MessageEvent<Sheet>) => {
  const options = { columns: widthsOf(sheet), stickyRowsCount: 1 };
  postMessage(await write(cellsOf(sheet), options).toBlob());
});
