"""
Does it fit into a scikit-learn pipeline?
=========================================

``ConsensusClustering`` is a scikit-learn clusterer: it can be the last step of a pipeline, its parameters can be
searched, and it labels new objects.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import graphens as ge

# %%
# A pipeline
# ----------
# The data are 569 tumors with 30 measurements, without the diagnosis.

X, benign = load_breast_cancer(return_X_y=True)
X_seen, X_new, y_seen, y_new = train_test_split(X, benign, random_state=0)
model = make_pipeline(
    StandardScaler(),
    PCA(5, random_state=0),
    ge.ConsensusClustering(2, n_partitions=30, k_range=(4, 12), random_state=0),
)
model.fit(X_seen)
clusterer = model[-1]
print(clusterer.consensus_)

# %%
# New objects
# -----------
# The base models label the held-out tumors, and the consensus combines these labels.

places = model.predict(X_new)
print(
    f"ARI with the diagnosis: seen {adjusted_rand_score(y_seen, clusterer.labels_):.2f}, "
    f"new {adjusted_rand_score(y_new, places):.2f}"
)

# %%
# A search
# --------
# How many principal components should be used? Each choice is fitted on a part of the tumors and evaluated on another
# part; the diagnosis is used only for the evaluation.

search = GridSearchCV(
    model.set_params(consensusclustering__n_partitions=10),
    {"pca__n_components": [1, 2, 5, 10]},
    scoring=lambda fitted, X, y: adjusted_rand_score(y, fitted.predict(X)),
    cv=3,
).fit(X_seen, y_seen)
kept = search.cv_results_["param_pca__n_components"].astype(int)
mean, spread = search.cv_results_["mean_test_score"], search.cv_results_["std_test_score"]
print(dict(zip(kept.tolist(), mean.round(2).tolist(), strict=True)))

# %%

axes = [plt.subplots(figsize=(5, 4), layout="constrained")[1] for _ in range(2)]
flat = model[:-1].transform(X_new)[:, :2]
for label, marker, name in ((0, "^", "malignant"), (1, "o", "benign")):
    own = y_new == label
    axes[0].scatter(
        *flat[own].T, c=ge.plot.colors(places[own]), marker=marker, s=24, label=name
    )
axes[0].set(xlabel="first component", ylabel="second component")
axes[0].set_title("Held-out tumors in the colors of their clusters", loc="left", fontsize=11)
axes[0].legend(frameon=False, handlelength=1)
axes[1].errorbar(kept, mean, spread, marker="o", capsize=3, color=ge.plot.color(0))
axes[1].set(
    xlabel="principal components", ylabel="ARI with the diagnosis", xticks=kept, ylim=(0, 1)
)
axes[1].set_title("Search: number of components", loc="left", fontsize=11)
for ax in axes:
    ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
#
# - ``clusterer.confidence_`` and ``clusterer.membership_`` complement ``labels_``.
# - ``n_clusters=None`` chooses the number automatically.
# - ``base=`` can be any scikit-learn clusterer, or a list that is used in turn.
#
# **Paper.** A. L. N. Fred and A. K. Jain, *Combining multiple clusterings using evidence accumulation*, IEEE
# Transactions on Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.113
