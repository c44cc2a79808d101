import { useState } from 'react';
import { Button } from '../button.tsx';
import { TextField } from '../text-field.tsx';
import { isKept, lostOf } from './markup.ts';
import type { RichTextProps } from './rich-text.tsx';
import { t } from './texts.ts';

/** Names of what would be lost, of which only so many are said. */
const MOST = 5;

function reasonFor(html: string): string {
  const lost = lostOf(html).slice(0, MOST);
  return lost.length > 0 ? t('plain.lost', { what: lost.join(', ') }) : t('plain.other');
}

/** HTML as it is, for texts of which the rich editor would lose something. */
export function PlainEditor({ onEnrich, hint, ...props }: RichTextProps & { onEnrich: () => void }) {
  const [reason] = useState(() => reasonFor(props.value));
  const isPossible = isKept(props.value);
  return (
    <div className="plain-text">
      <TextField {...props} rows={12} hint={hint ? `${reason} ${hint}` : reason} />
      {isPossible && (
        <div>
          <Button icon="edit" onPress={onEnrich}>
            {t('plain.enrich')}
          </Button>
        </div>
      )}
    </div>
  );
}
