import type { UseMutationOptions } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { StaleTextError, type Versioned } from '../../data/editing/texts-editing.ts';
import { type Merge, type MergePath, mergeThreeWay } from '../../lib/three-way-merge.ts';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { takenSentence } from './merge-words.ts';

interface TextSaveOptions<Content> {
  /** The version that the form starts with. */
  initial: Versioned<Content>;
  /** Writes over a version and answers the new one. @throws StaleTextError when another one is saved */
  mutation: UseMutationOptions<string, Error, Versioned<Content>>;
  success: string;
  failure: string;
  /** Merge of content that is more than fields: see mergeThreeWay. */
  merge?: typeof mergeThreeWay<Content>;
  /** Tells whether a merged content passes the rules of the form. */
  isValid: (content: Content) => boolean;
  /** Called with what is saved now, with what was sent, and whether something of others is in it. */
  onSaved: (saved: Content, sent: Content, isMerged: boolean) => void;
  /** Puts a content into the form that is not saved. */
  onUnsaved: (content: Content) => void;
}

/** Text that both changed, until somebody decides. */
export interface TextConflict<Content> {
  mine: Content;
  opened: Versioned<Content>;
  current: Versioned<Content>;
  merge: Merge<Content>;
}

/** Saves a section or a setting together with what somebody else saved meanwhile in other fields. */
export function useTextSave<Content>(options: TextSaveOptions<Content>) {
  const { merge: mergeContents = mergeThreeWay, isValid, onSaved, onUnsaved } = options;
  const [opened, setOpened] = useState(options.initial);
  const [conflict, setConflict] = useState<TextConflict<Content> | null>(null);
  const taken = useRef<readonly MergePath[]>([]);
  const sent = useRef(opened.content);
  const write = useMutationWithToasts(options.mutation, {
    success: () => {
      const kept = takenSentence(taken.current);
      return kept ? [options.success, kept] : options.success;
    },
    failure: (error) => (error instanceof StaleTextError ? null : options.failure),
  });

  const save = async (content: Content, base: Versioned<Content>): Promise<void> => {
    let version: string;
    try {
      version = await write.mutateAsync({ content, version: base.version });
    } catch (error) {
      // Every other failure was told.
      if (!(error instanceof StaleTextError)) return;
      return mergeAndSave(content, base, error.current as Versioned<Content>);
    }
    setOpened({ content, version });
    onSaved(content, sent.current, taken.current.length > 0);
  };

  const mergeAndSave = async (
    mine: Content,
    base: Versioned<Content>,
    current: Versioned<Content>,
    takesTheirs?: (path: MergePath) => boolean,
  ): Promise<void> => {
    const merge = mergeContents(base.content, mine, current.content, takesTheirs);
    if (merge.conflicts.length > 0 && !takesTheirs) {
      setConflict({ mine, opened: base, current, merge });
      return;
    }
    setConflict(null);
    taken.current = [
      ...taken.current,
      ...merge.taken,
      ...merge.conflicts.map(({ path }) => path).filter(takesTheirs ?? none),
    ];
    if (isValid(merge.value)) return save(merge.value, current);
    setOpened(current);
    onUnsaved(merge.value);
    toast.error('Merged, but not saved yet', takenSentence(taken.current));
  };

  return {
    /** The version that the form is based on. */
    opened,
    setOpened,
    save: (content: Content) => {
      taken.current = [];
      sent.current = content;
      return save(content, opened);
    },
    isSaving: write.isPending,
    /** Error of the last try; null when there is a conflict to decide instead. */
    refusal: write.error instanceof StaleTextError ? null : write.error,
    conflict,
    keepEditing: () => setConflict(null),
    decide: (takesTheirs: (path: MergePath) => boolean) =>
      conflict && mergeAndSave(conflict.mine, conflict.opened, conflict.current, takesTheirs),
    loadTheirs: () => {
      if (!conflict) return;
      setConflict(null);
      setOpened(conflict.current);
      onSaved(conflict.current.content, conflict.mine, true);
    },
  };
}

export type TextSave<Content> = ReturnType<typeof useTextSave<Content>>;

function none(): boolean {
  return false;
}
