// What a page keeps on this device, by name: the player's books and the games he keeps. Nothing that was judged.

const NAME = "ordws";
const OBJECT_STORE = "kept";

function openDatabase() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(OBJECT_STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function runTransaction(mode, act) {
  const db = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(OBJECT_STORE, mode, { durability: "strict" });
      const asked = act(transaction.objectStore(OBJECT_STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

/** What was put under a name; undefined where nothing was. */
export const get = (name) => runTransaction("readonly", (shelf) => shelf.get(name));

/** Keep a value under a name; when this is done, it is on the device, also if the power goes. */
export const put = (name, value) => runTransaction("readwrite", (shelf) => shelf.put(value, name));

/** Forget what is kept under a name. */
export const drop = (name) => runTransaction("readwrite", (shelf) => shelf.delete(name));

/** The names under which something is kept. */
export const names = () => runTransaction("readonly", (shelf) => shelf.getAllKeys());
