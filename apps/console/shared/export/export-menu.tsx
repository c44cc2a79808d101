import { useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { readPages } from '../../../client/bulk.ts';
import { useContentLanguage } from '../../data/content-language.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Icon } from '../../ui/icon.tsx';
import { describe } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { saveFile, spreadsheetOf } from './save-file.ts';

export interface SheetColumn<R> {
  label: string;
  value: (row: R) => string | number;
}

interface ExportMenuProps<R> {
  /** Name of the file. */
  name: string;
  /** Address of the server's CSV export with the same filters. */
  csv: string;
  columns: readonly SheetColumn<R>[];
  readPage: (page: number) => Promise<{ rows: readonly R[]; pages: number; total: number }>;
}

/** Makes a spreadsheet of all pages, page by page, until it is stopped. */
function useSpreadsheet<R extends { id: number }>({ name, columns, readPage }: ExportMenuProps<R>) {
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  const stopper = useRef<AbortController>(undefined);
  const save = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    stopper.current = controller;
    let total = 0;
    const show = (done: number) => setProgress({ done, of: Math.max(total, done) });
    show(0);
    try {
      const readOne = async (page: number) => {
        const read = await readPage(page);
        total = read.total;
        // Page by page, so that the browser stays responsive.
        const lines = read.rows.map((row) => ({ id: row.id, cells: columns.map(({ value }) => value(row)) }));
        return { rows: lines, pages: read.pages };
      };
      const rows = await readPages(readOne, { signal, onProgress: show });
      if (signal.aborted) return;
      const file = await spreadsheetOf([columns.map(({ label }) => label), ...rows.map(({ cells }) => cells)]);
      if (signal.aborted) return;
      saveFile(`${name}.xlsx`, file);
      toast(t('export.done'));
    } catch (error) {
      toast(t('export.failed', { reason: describe(error) }), { tone: 'bad' });
    } finally {
      setProgress(undefined);
    }
  };
  const stop = () => {
    stopper.current?.abort();
    setProgress(undefined);
  };
  return { progress, save, stop };
}

/** Exports all pages of a filtered list. */
export function ExportMenu<R extends { id: number }>(props: ExportMenuProps<R>) {
  const { progress, save, stop } = useSpreadsheet(props);
  const language = useContentLanguage();
  return (
    <>
      <MenuTrigger>
        <AriaButton className="button">
          <Icon name="download" />
          <span>{t('export')}</span>
        </AriaButton>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label={t('export')} onAction={(key) => key === 'xlsx' && void save()}>
            <MenuItem id="csv" href={inLanguage(props.csv, language)} download="" className="menu-item">
              {t('export.csv')}
            </MenuItem>
            <MenuItem id="xlsx" className="menu-item">
              {t('export.xlsx')}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {progress && (
        <DialogBox title={t('export')} actions={<Button onPress={stop}>{t('export.stop')}</Button>}>
          <progress value={progress.done} max={progress.of || undefined} aria-label={t('export')} />
          <p>{t('export.progress', progress)}</p>
        </DialogBox>
      )}
    </>
  );
}

/** Adds the language of the list, since a link sends only the languages of the browser. */
const inLanguage = (address: string, language: string | undefined): string =>
  language === undefined ? address : `${address}&${new URLSearchParams({ i18n_language: language })}`;
