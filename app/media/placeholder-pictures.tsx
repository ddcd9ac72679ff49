/** Placeholder drawings for missing pictures, updated while typing. */
import { useDeferredValue } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import { Avatar } from '../ui/avatar.tsx';
import { CoverArt } from '../ui/cover-art.tsx';
import type { FieldName } from '../ui/form/field-options.ts';
import { slugFromTitle } from '../ui/lib/slug.ts';

interface DrawnCoverProps<Values extends FieldValues> {
  slug: NoInfer<FieldName<Values>>;
  /** Field from which an empty slug is generated. */
  title: NoInfer<FieldName<Values>>;
  figure?: NoInfer<FieldName<Values>>;
}

export function GeneratedCover<Values extends FieldValues = never>({ slug, title, figure }: DrawnCoverProps<Values>) {
  const names = [slug, title, ...(figure ? [figure] : [])];
  const typed: readonly string[] = useWatch<FieldValues>({ name: names });
  const [typedSlug = '', typedTitle = '', typedFigure] = useDeferredValue(typed).map((text) => text.trim());
  const subject = { slug: typedSlug || slugFromTitle(typedTitle), title: typedTitle, figure: typedFigure };
  return <CoverArt of={subject} />;
}

export function GeneratedPortrait<Values extends FieldValues = never>({ name }: { name: NoInfer<FieldName<Values>> }) {
  const typed: string = useWatch<FieldValues>({ name });
  return <Avatar name={useDeferredValue(typed)} className="size-full" />;
}
