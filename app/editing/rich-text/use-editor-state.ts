import type { Editor } from '@tiptap/core';
import { useCallback, useSyncExternalStore } from 'react';

/** Returns a value that is computed from the editor, and rerenders only if it changes. It must be serialisable. */
export function useEditorState<Value>(editor: Editor, read: (editor: Editor) => Value): Value {
  const subscribe = useCallback(
    (update: () => void) => {
      editor.on('transaction', update);
      return () => void editor.off('transaction', update);
    },
    [editor],
  );
  return JSON.parse(useSyncExternalStore(subscribe, () => JSON.stringify(read(editor))));
}
