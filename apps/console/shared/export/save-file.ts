import type { Sheet } from './cells.ts';

/** Lets the browser keep a file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A table as a spreadsheet. The library is loaded only for this, in a worker. */
export function spreadsheetOf(sheet: Sheet): Promise<Blob> {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Blob>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(sheet);
  }).finally(() => worker.terminate());
}
