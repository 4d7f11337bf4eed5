import { useEffect, useState } from 'preact/hooks';
import { EmptyState, LoadingState } from '../components/panel.tsx';

type OtherViews = typeof import('./other-views.ts');

let otherViews: OtherViews | undefined;

/** A view whose script is loaded when it is first opened. */
export function createLazyView(name: keyof OtherViews) {
  const Component = () => {
    const [views, setViews] = useState(otherViews);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (!views) loadOtherViews().then(setViews, () => setFailed(true));
    }, []);
    if (hasFailed) return <ScriptMissing />;
    if (!views) return <LoadingState subject="the view" />;
    const View = views[name];
    return <View />;
  };
  return { Component, preload: () => void loadOtherViews().catch(() => {}) };
}

async function loadOtherViews(): Promise<OtherViews> {
  otherViews ??= await import('./other-views.ts');
  return otherViews;
}

/** The service does not answer, or has another version than when the page was opened. */
function ScriptMissing() {
  return (
    <EmptyState title="This view could not be loaded">
      The service may have been upgraded since this page was opened, or does not answer.{' '}
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </EmptyState>
  );
}
