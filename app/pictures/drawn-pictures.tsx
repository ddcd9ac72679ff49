/** Drawings of the site for the surrounding form in the place of a missing picture. They follow what is typed. */
import { useDeferredValue } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import type { FieldName } from '../form/field-options.ts';
import { slugFromTitle } from '../lib/slug.ts';
import { Avatar } from '../ui/avatar.tsx';
import { CoverArt } from '../ui/cover-art.tsx';

interface DrawnCoverProps<Values extends FieldValues> {
  slug: NoInfer<FieldName<Values>>;
  /** The field of which the slug is made where it is empty. */
  title: NoInfer<FieldName<Values>>;
}

export function DrawnCover<Values extends FieldValues = never>({ slug, title }: DrawnCoverProps<Values>) {
  const [typedSlug, typedTitle]: readonly string[] = useWatch<FieldValues>({ name: [slug, title] });
  return <CoverArt seed={useDeferredValue(typedSlug?.trim() || slugFromTitle(typedTitle ?? ''))} />;
}

export function DrawnPortrait<Values extends FieldValues = never>({ name }: { name: NoInfer<FieldName<Values>> }) {
  const typed: string = useWatch<FieldValues>({ name });
  return <Avatar name={useDeferredValue(typed)} className="size-full" />;
}
