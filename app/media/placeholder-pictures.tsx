/** Placeholder drawings for missing pictures, updated while typing. */
import { UserRound } from 'lucide-react';
import { useDeferredValue } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import { Avatar } from '../ui/avatar.tsx';
import { CoverArt } from '../ui/cover-art.tsx';
import type { FieldName } from '../ui/form/field-options.ts';
import { slugFromTitle } from '../ui/lib/slug.ts';

interface CoverProps<Values extends FieldValues> {
  slug: NoInfer<FieldName<Values>>;
  /** Field from which an empty slug is generated. */
  title: NoInfer<FieldName<Values>>;
  keyFigure?: NoInfer<FieldName<Values>>;
}

export function GeneratedCover<Values extends FieldValues = never>({ slug, title, keyFigure }: CoverProps<Values>) {
  const names = [slug, title, ...(keyFigure ? [keyFigure] : [])];
  const values: readonly string[] = useWatch<FieldValues>({ name: names });
  const [typedSlug = '', typedTitle = '', typedFigure] = useDeferredValue(values).map((text) => text.trim());
  const subject = { slug: typedSlug || slugFromTitle(typedTitle), title: typedTitle, keyFigure: typedFigure };
  return <CoverArt subject={subject} />;
}

export function GeneratedPortrait<Values extends FieldValues = never>({ name }: { name: NoInfer<FieldName<Values>> }) {
  const value: string = useWatch<FieldValues>({ name });
  const typedName = useDeferredValue(value).trim();
  if (typedName === '') return <UserRound aria-hidden="true" className="size-6 place-self-center text-muted" />;
  return <Avatar name={typedName} className="size-full" />;
}
