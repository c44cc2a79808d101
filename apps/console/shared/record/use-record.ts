import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { LINKED_KIND_NAMES, LINKED_KINDS, type LinkedKind } from '../../../../src/lib/linked-kinds.ts';
import type { Conflict, Fields } from '../../../client/merge.ts';
import { isProblem, type Problem } from '../../../client/problem.ts';
import {
  createRecordEditor,
  type EditorState,
  type RecordEditor,
  type StoredPatch,
  type Version,
} from '../../../client/record-editor.ts';
import { useMe } from '../../data/account.ts';
import { useContentLanguage } from '../../data/content-language.ts';
import { queries, refresh } from '../../data/queries.ts';
import { t } from '../../i18n/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { findPatch, storePatch } from './stored-patches.ts';

/** A record of the interface. */
interface Revised {
  revision?: number;
}

/** How the form of one kind of record reads, writes and shows it. */
export interface RecordKind<R extends Revised, F extends Fields> {
  /** Path of the list, such as `/events/v1/events`. */
  path: string;
  /** Name of the form if a record has several; each keeps its own unsaved changes. */
  form?: string;
  read(id: number): UseQueryOptions<R, Error, R, readonly unknown[]>;
  /** Sends the changed fields. */
  write(id: number, patch: Partial<F>, options: { revision: number; language?: string }): Promise<R>;
  /** Values of the form's fields, as they are sent. */
  fieldsOf(record: R): F;
  /** Patch that restores the present values; with it, saves can be undone. */
  formerOf?(record: R, language: string | undefined): Readonly<Record<keyof F & string, unknown>>;
  /** Whether changes are saved automatically, since the record is not public yet. */
  isDraft(record: R): boolean;
}

/** Kinds of records in the audit log, by the paths of their lists; linked kinds are added below. */
const LOGGED = {
  '/events/v1/events': 'event',
  '/events/v1/categories': 'category',
  '/events/v1/tags': 'tag',
  '/tickets/v1/tickets': 'ticket',
  '/admin/v1/orders': 'order',
  '/admin/v1/attendees': 'attendee',
} as const;

interface LoggedRecord {
  kind: (typeof LOGGED)[keyof typeof LOGGED] | LinkedKind;
  id: number;
}

const loggedAs = (path: string, id: number): LoggedRecord | undefined => {
  const found = Object.entries(LOGGED).find(([known]) => known === path);
  const kind = found?.[1] ?? LINKED_KIND_NAMES.find((name) => path === `/events/v1/${LINKED_KINDS[name].plural}`);
  return kind && { kind, id };
};

/** A record with unsaved changes. */
export interface EditedRecord<R, F> {
  record: R;
  values: F;
  /** Names of the fields with unsaved changes. */
  changed: readonly (keyof F & string)[];
  status: EditorState['status'];
  problem: Problem | undefined;
  conflicts: readonly Conflict[];
  /** Whether changes are saved automatically. */
  isDraft: boolean;
  /** Props of a form field. */
  field<K extends keyof F & string>(
    name: K,
  ): { value: F[K]; onChange: (value: F[K]) => void; problem: string | undefined; mark?: ReactNode };
  /** Resolves to whether everything is saved. */
  save(): Promise<boolean>;
  /** Undoes the last save unless the record has changed since. */
  undoOfSave(): (() => Promise<unknown>) | undefined;
  discard(): void;
  resolve(name: string, choice: 'yours' | 'theirs'): void;
  /** Whether the decision on conflicts waits for the next save. */
  isPostponed: boolean;
  /** Closes the question about conflicts; nothing is saved until they are decided. */
  postpone(): void;
  /** The record in the audit log; undefined if it is not logged. */
  logged: LoggedRecord | undefined;
}

/** Milliseconds after the last keystroke until a draft is saved. */
const DRAFT_DELAY = 2000;

type Result<R, F> = { data: EditedRecord<R, F> | undefined; error: unknown; retry: () => void };

/**
 * A record and its unsaved changes. Drafts are saved automatically; changes to published records are stored on this
 * device until they are saved, so that they survive a crash.
 * @param ownLanguage language of the texts if not the content language; the kind must read and write in it
 */
export function useRecord<R extends Revised, F extends Fields>(
  kind: RecordKind<R, F>,
  id: number,
  ownLanguage?: string,
): Result<R, F> {
  const content = useContentLanguage();
  const language = ownLanguage ?? content;
  const me = useMe();
  const query = useQuery(kind.read(id));
  const key = [me.id, kind.path, kind.form ?? id, language].join(' ');
  const editor = useEditor(kind, { key, id, language }, query.data);
  const state = useSyncExternalStore(editor?.subscribe ?? NOTHING, () => editor?.state());
  const [postponed, setPostponed] = useState<readonly Conflict[]>();
  const record = query.data;
  const isDraft = record !== undefined && kind.isDraft(record);
  useDraftSaving(editor, isDraft ? state : undefined);
  useUnloadWarning(state);
  const retry = () => void query.refetch();
  if (!record || !editor || !state) return { data: undefined, error: query.error, retry };
  // The editor holds the fields of this kind only.
  const values = { ...state.base.fields, ...state.patch } as F;
  const data: EditedRecord<R, F> = {
    record,
    values,
    isDraft,
    status: state.status,
    problem: state.problem,
    conflicts: state.conflicts,
    changed: Object.keys(state.patch),
    field: (name) => ({
      value: values[name],
      onChange: (value) => editor.set(name, value),
      problem: state.problem?.fields[name],
    }),
    save: () => {
      setPostponed(undefined);
      return saveAndReport(editor);
    },
    undoOfSave: () => {
      const { undo } = editor.state();
      const { write } = optionsFor(kind, { key, id, language });
      return undo && (() => write(undo.patch, undo.revision));
    },
    discard: editor.discard,
    resolve: editor.resolve,
    isPostponed: state.conflicts.length > 0 && postponed === state.conflicts,
    postpone: () => setPostponed(state.conflicts),
    logged: loggedAs(kind.path, id),
  };
  return { data, error: undefined, retry };
}

const NOTHING = () => () => undefined;

interface Place {
  /** Key of the unsaved changes in the browser's database. */
  key: string;
  id: number;
  language: string | undefined;
}

/** Editor of a record, once the record and its stored changes have been read. */
function useEditor<R extends Revised, F extends Fields>(kind: RecordKind<R, F>, place: Place, record: R | undefined) {
  const { key, id, language } = place;
  const [opened, setOpened] = useState<{ key: string; editor: RecordEditor }>();
  const version = record && versionOf(kind, record, language);
  const isOpened = opened?.key === key;
  const isRead = version !== undefined;
  const open = useEffectEvent((stored: StoredPatch | undefined) => {
    if (!version) return;
    const editor = createRecordEditor(version, optionsFor(kind, { key, id, language }), stored);
    if (stored && Object.keys(editor.state().patch).length > 0) toast(t('record.restored'));
    setOpened({ key, editor });
  });
  useEffect(() => {
    if (!isRead || isOpened) return undefined;
    let isLeft = false;
    void findPatch(key).then((stored) => {
      if (!isLeft) open(stored);
    });
    return () => {
      isLeft = true;
    };
  }, [isRead, isOpened, key]);
  useEffect(() => {
    if (isOpened && version) opened.editor.update(version);
  }, [isOpened, opened, version]);
  return isOpened ? opened.editor : undefined;
}

const versionOf = <R extends Revised, F extends Fields>(
  kind: RecordKind<R, F>,
  record: R,
  language: string | undefined,
): Version => ({
  revision: record.revision ?? 0,
  fields: kind.fieldsOf(record),
  former: kind.formerOf?.(record, language),
});

function optionsFor<R extends Revised, F extends Fields>(kind: RecordKind<R, F>, { key, id, language }: Place) {
  const queryKey = kind.read(id).queryKey;
  return {
    async write(patch: Fields, revision: number) {
      const options = { revision, ...(language !== undefined && { language }) };
      // The editor holds the fields of this kind only.
      const written = await kind.write(id, patch as Partial<F>, options);
      queries.setQueryData(queryKey, written);
      void refresh(kind.path);
      return versionOf(kind, written, language);
    },
    readConflict({ data }: Problem) {
      const present = data.record as R;
      queries.setQueryData(queryKey, present);
      return versionOf(kind, present, language);
    },
    keep: (stored: StoredPatch | undefined) => void storePatch(key, stored).then((isKept) => isKept || warnUnkept()),
  };
}

let hasWarned = false;

/** Warns once that unsaved changes would be lost with the page. */
function warnUnkept(): void {
  if (!hasWarned) toast(t('record.unkept'), { tone: 'bad' });
  hasWarned = true;
}

async function saveAndReport(editor: RecordEditor): Promise<boolean> {
  try {
    const isSaved = await editor.save();
    const { taken } = editor.state();
    if (isSaved && taken.length > 0) toast(t('record.taken', { count: taken.length }));
    return isSaved;
  } catch (error) {
    if (isProblem(error)) throw error;
    toast(t('error.unexpected'), { tone: 'bad' });
    return false;
  }
}

/** Whether there are changes to send; refused ones wait for another change. */
const hasUnsaved = ({ patch, conflicts, status }: EditorState): boolean =>
  Object.keys(patch).length > 0 && conflicts.length === 0 && status !== 'refused' && status !== 'saving';

/** Saves a draft after a pause in typing, and when its screen or the page is left. */
function useDraftSaving(editor: RecordEditor | undefined, state: EditorState | undefined) {
  useEffect(() => {
    if (!editor || !state || !hasUnsaved(state)) return undefined;
    const timer = setTimeout(() => void saveAndReport(editor), DRAFT_DELAY);
    return () => clearTimeout(timer);
  }, [editor, state]);
  const isDraft = state !== undefined;
  useEffect(() => {
    if (!editor || !isDraft) return undefined;
    const save = () => {
      if (hasUnsaved(editor.state())) void saveAndReport(editor);
    };
    const onHide = () => {
      if (document.visibilityState === 'hidden') save();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      save();
    };
  }, [editor, isDraft]);
}

/** Asks before the page is closed while a save is running. */
function useUnloadWarning(state: EditorState | undefined) {
  const isSaving = state?.status === 'saving';
  useEffect(() => {
    if (!isSaving) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSaving]);
}
