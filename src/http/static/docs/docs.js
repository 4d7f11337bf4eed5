// Draws the API reference from the OpenAPI document, and keeps the visitor's token for this tab.
const TOKEN = 'tenor.token';

followColorScheme();
fetch('/openapi.json')
  .then((response) => response.json())
  .then((openapi) => draw(withoutPrefilled(openapi)))
  .catch((cause) => {
    const status = document.querySelector('#reference [role=status]');
    if (status) status.textContent = 'The OpenAPI document could not be read. Load this page anew.';
    throw cause;
  });

function draw(spec) {
  document.querySelector('#version').textContent = spec.info.version;
  const [scheme] = Object.keys(spec.components.securitySchemes);
  const keepToken = (authorized) => {
    const token = authorized.getIn([scheme, 'value']);
    if (token) sessionStorage.setItem(TOKEN, token);
    else sessionStorage.removeItem(TOKEN);
  };
  const ui = globalThis.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    syntaxHighlight: { theme: 'obsidian' },
    defaultModelsExpandDepth: 0,
    // Without this, the document's address is told to a validator elsewhere.
    validatorUrl: null,
    plugins: [
      {
        // The library itself would keep the token in localStorage, for good and for every tab.
        statePlugins: {
          spec: {
            wrapSelectors: {
              // A stream never ends, and the library shows a response at its end.
              allowTryItOutFor: () => (_, path) => !sendsEvents(spec.paths[path]),
            },
          },
          auth: {
            wrapActions: {
              persistAuthorizationIfNeeded: (_, system) => () =>
                keepToken(system.authSelectors.authorized()),
            },
          },
        },
        wrapComponents: {
          // There is one server: the one that this page came from.
          ServersContainer: () => () => null,
          AuthorizeBtnContainer: withTokenHelp,
        },
      },
    ],
    onComplete: () => {
      const token = sessionStorage.getItem(TOKEN);
      if (token) ui.preauthorizeApiKey(scheme, token);
    },
  });
}

function sendsEvents(path) {
  return path.get.responses[200].content['text/event-stream'] !== undefined;
}

/** The button with the words on how to get a token beside it. */
function withTokenHelp(Button, { React }) {
  const { content } = document.querySelector('#token-help');
  const fill = (paragraph) => paragraph?.replaceChildren(content.cloneNode(true));
  return (props) =>
    React.createElement(
      'div',
      { className: 'token' },
      React.createElement('p', { ref: fill }),
      React.createElement(Button, props),
    );
}

/**
 * The document with the examples of optional parameters told in words. As examples they would be
 * filled in from the start, all at once, and ask for a day, a range and the past in one request.
 */
function withoutPrefilled(openapi) {
  const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path));
  const declared = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...declared, ...Object.values(openapi.components.parameters ?? {})]) {
    if (parameter.required || parameter.example === undefined) continue;
    const sentence = parameter.description.replace(/[^.]$/, '$&.');
    parameter.description = `${sentence} For example \`${parameter.example}\`.`;
    delete parameter.example;
  }
  return openapi;
}

function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}
