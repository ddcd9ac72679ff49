import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import Questions from './questions.tsx';

test('Each question is a closed <details> element with its answer, and HTML is shown as text', () => {
  const html = renderToStaticMarkup(
    <Questions
      heading="Questions and answers"
      questions={[{ id: '1', question: 'Who <b>owns</b> it?', answer: '**You** do.\n\n<script>x</script>' }]}
    />,
  );
  expect(html).toMatch(/<details class="[^"]*"><summary[^>]*>Who &lt;b&gt;owns&lt;\/b&gt; it\?/);
  expect(html).toMatch(/<strong[^>]*>You<\/strong> do\./);
  expect(html).not.toContain('<script');
});
