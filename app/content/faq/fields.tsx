import { MarkdownField } from '../../editing/rich-text/markdown-field.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { DisplayOrderField, TextField } from '../../ui/form/text-field.tsx';
import type { FaqForm } from './schema.ts';

export default function FaqFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<FaqForm> name="status" />
          <DisplayOrderField<FaqForm> name="display_order" />
        </>
      }
    >
      <TextField<FaqForm> name="question" required help="Write the question as a visitor would ask it." />
      <MarkdownField<FaqForm> name="answer" required="to publish" />
    </FormColumns>
  );
}
