import { type ReactNode, useState } from 'react';
import { COLOR_NAMES, type ColorName, DEFAULT_COLORS } from '../../../src/lib/theme.ts';
import { Button } from '../parts/button.tsx';
import { ColorFields } from './color-fields.tsx';
import { Contrast } from './contrast.tsx';
import { LogoField } from './logo-field.tsx';
import { LookPreview } from './look-preview.tsx';
import { SettingsPage } from './settings-page.tsx';
import { type EditedSite, SiteForm } from './site-form.tsx';
import { lookKind } from './site-kinds.ts';
import { colorLabel, t } from './texts.ts';
import { validColors, weaknessOf } from './weak-pairs.ts';

type Fields = ReturnType<typeof lookKind.fieldsOf>;

const isColorName = (name: string): name is ColorName => name in DEFAULT_COLORS;
const labelOf = (name: string): string => (isColorName(name) ? colorLabel(name) : t('field.logo'));

function show(_name: string, value: unknown): string {
  // A logo is the only value that is no text.
  const logo = value as Fields['logo'] | string;
  return typeof logo === 'string' ? logo : (logo?.url.split('/').at(-1) ?? '');
}

/** Colours and logo of the public pages, with one of these beside them as it will be. */
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
  const { pairs, fields } = weaknessOf(colors);
  const reset = () => {
    for (const name of COLOR_NAMES) field(name).onChange(DEFAULT_COLORS[name]);
  };
  const isDefault = COLOR_NAMES.every((name) => values[name] === DEFAULT_COLORS[name]);
  return (
    <div className="look">
      <div>
        <section className="form-section" aria-labelledby="colors">
          <h2 id="colors">{t('section.colors')}</h2>
          {problem?.fields.colors && (
            <p className="form-problem" role="alert">
              {problem.fields.colors}
            </p>
          )}
          <ColorFields
            values={values}
            weak={fields}
            onChange={(name, color) => {
              field(name).onChange(color);
              if (name !== 'lamp') setScheme(name.endsWith('_dark') ? 'dark' : 'light');
            }}
          />
          <Contrast pairs={pairs} />
          {!isDefault && (
            <Actions>
              <Button icon="undo" onPress={reset}>
                {t('colors.reset')}
              </Button>
            </Actions>
          )}
        </section>
        <section className="form-section" aria-labelledby="logo">
          <h2 id="logo">{t('field.logo')}</h2>
          <LogoField {...field('logo')} />
        </section>
      </div>
      <LookPreview colors={colors} logo={values.logo} scheme={scheme} onScheme={setScheme} />
    </div>
  );
}

const Actions = ({ children }: { children: ReactNode }) => <div className="actions">{children}</div>;

const preferredScheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
