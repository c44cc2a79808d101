import { useState } from 'react';
import { COLOR_NAMES, type ColorName, DEFAULT_COLORS } from '../../../../../src/lib/theme.ts';
import { PictureField } from '../../../shared/pictures/picture-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { colorLabel, t } from '../routes.ts';
import { type EditedSite, SettingsPage, SiteForm } from '../settings-page.tsx';
import { lookKind } from '../site-kinds.ts';
import { ColorFields, ContrastBadge } from './color-fields.tsx';
import { LookPreview } from './look-preview.tsx';
import { isColor, validColors, weakPairsOf } from './weak-pairs.ts';

type Fields = ReturnType<typeof lookKind.fieldsOf>;

const isColorName = (name: string): name is ColorName => name in DEFAULT_COLORS;
const labelOf = (name: string): string => (isColorName(name) ? colorLabel(name) : t('field.logo'));

function show(_name: string, value: unknown): string {
  // The logo is the only value that is not a text.
  const logo = value as Fields['logo'] | string;
  return typeof logo === 'string' ? logo : (logo?.url.split('/').at(-1) ?? '');
}

/** Colours and logo of the public pages, with a preview. */
export function Screen() {
  return (
    <SettingsPage name="look">
      <SiteForm kind={lookKind} labelOf={labelOf} show={show}>
        {(edited) => <Look edited={edited} />}
      </SiteForm>
    </SettingsPage>
  );
}

function Look({ edited }: { edited: EditedSite<Fields> }) {
  const { record, values, field, problem } = edited;
  const [scheme, setScheme] = useState<'light' | 'dark'>(preferredScheme);
  const colors = validColors(values, record.colors);
  const weak = weakPairsOf(colors);
  // Problems shown at a field are not repeated.
  const isMarked = weak.size > 0 || !COLOR_NAMES.every((name) => isColor(values[name]));
  const reset = () => {
    for (const name of COLOR_NAMES) field(name).onChange(DEFAULT_COLORS[name]);
  };
  const isDefault = COLOR_NAMES.every((name) => values[name] === DEFAULT_COLORS[name]);
  return (
    <div className="look">
      <div>
        <section className="form-section" aria-labelledby="colors">
          <div className="colors-title">
            <h2 id="colors">{t('section.colors')}</h2>
            <ContrastBadge weak={weak} />
          </div>
          {problem?.fields.colors && !isMarked && (
            <p className="form-problem" role="alert">
              {problem.fields.colors}
            </p>
          )}
          <ColorFields
            values={values}
            weak={weak}
            onChange={(name, color) => {
              field(name).onChange(color);
              if (name !== 'lamp') setScheme(name.endsWith('_dark') ? 'dark' : 'light');
            }}
          />
          {!isDefault && (
            <div className="actions">
              <Button icon="undo" onPress={reset}>
                {t('colors.reset')}
              </Button>
            </div>
          )}
        </section>
        <section className="form-section" aria-label={t('field.logo')}>
          <PictureField label={t('field.logo')} {...field('logo')} />
          <p className="hint">{t('hint.logo')}</p>
        </section>
      </div>
      <LookPreview colors={colors} logo={values.logo} scheme={scheme} onScheme={setScheme} />
    </div>
  );
}

const preferredScheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
