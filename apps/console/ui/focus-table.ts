/** Gives the focus to the row that had it last, or to the first picture, if what had it since is gone. */
export function focusTable(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('.table tbody tr[tabindex="0"], .pictures [role=row]')?.focus();
}
