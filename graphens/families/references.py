"""The papers behind the methods, as BibTeX entries; DOIs only if they were looked up."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

_TEX = {
    "\N{COMBINING DIAERESIS}": '\\"',
    "\N{COMBINING ACUTE ACCENT}": "\\'",
    "\N{COMBINING CEDILLA}": "\\c ",
}
_VENUE = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "book": "publisher",
}


@dataclass(frozen=True)
class Reference:
    """One publication."""

    authors: str
    title: str
    venue: str
    year: int
    kind: str = "article"
    doi: str = ""
    more: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The BibTeX key: first author, year, and the first word of the title."""
        words = re.findall(r"[A-Za-z]+", _ascii(f"{self.authors.split(',')[0]} {self.title}"))
        return f"{words[0].lower()}{self.year}{next(w for w in words[1:] if len(w) > 3).lower()}"

    def bibtex(self) -> str:
        """Return the entry."""
        fields = {"author": self.authors, "title": f"{{{self.title}}}", _VENUE[self.kind]: self.venue}
        fields |= {"year": str(self.year), **self.more, **({"doi": self.doi} if self.doi else {})}
        width = max(map(len, fields))
        lines = [f"  {name.ljust(width)} = {{{_tex(value)}}}," for name, value in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _tex(text: str) -> str:
    """Text with accents in TeX notation, for every version of BibTeX."""
    parts = [unicodedata.normalize("NFD", letter) for letter in text]
    return "".join(f"{{{_TEX[part[1]]}{part[0]}}}" if part[1:] in _TEX else part for part in parts)


def bibtex(reference: str) -> str:
    """Return the BibTeX of a registry row's reference, such as "Fred and Jain 2005; Yang and Chen 2011".

    A reference that is not listed here becomes a note with its text.

    Examples
    --------
    >>> print(bibtex("Fern and Brodley 2004"))
    @inproceedings{fern2004solving,
      author    = {Fern, Xiaoli Zhang and Brodley, Carla E.},
      title     = {{Solving cluster ensemble problems by bipartite graph partitioning}},
      booktitle = {Proceedings of the 21st International Conference on Machine Learning},
      year      = {2004},
      doi       = {10.1145/1015330.1015414},
    }
    """
    return "\n\n".join(
        REFERENCES[one].bibtex() if one in REFERENCES else _note(one) for one in reference.split("; ")
    )


def doi(reference: str) -> tuple[str, ...]:
    """Return the DOIs of a registry row's reference, as far as they are known."""
    known = (REFERENCES[one].doi for one in reference.split("; ") if one in REFERENCES)
    return tuple(one for one in known if one)


def _note(reference: str) -> str:
    key = re.sub(r"[^a-z0-9]", "", _ascii(reference).lower()) or "unnamed"
    return f"@misc{{{key},\n  note = {{{_tex(reference)}}},\n}}"


_HUANG = "Huang, Dong and Wang, Chang-Dong and "
_STREHL = "Cluster ensembles: a knowledge reuse framework for combining multiple partitions"

#: by the words that registry rows use
REFERENCES = {
    "Ailon, Charikar and Newman 2008": Reference(
        "Ailon, Nir and Charikar, Moses and Newman, Alantha",
        "Aggregating inconsistent information: ranking and clustering",
        "Journal of the ACM",
        2008,
        doi="10.1145/1411509.1411513",
        more={"volume": "55", "number": "5"},
    ),
    "Ayad and Kamel 2005": Reference(
        "Ayad, Hanan G. and Kamel, Mohamed S.",
        "Cluster-based cumulative ensembles",
        "Multiple Classifier Systems",
        2005,
        "inproceedings",
        more={"volume": "3541", "series": "Lecture Notes in Computer Science", "pages": "236--245"},
    ),
    "Azimi et al. 2007": Reference(
        "Azimi, Javad and Abdoos, Monireh and Analoui, Morteza",
        "A new efficient approach in clustering ensembles",
        "Intelligent Data Engineering and Automated Learning",
        2007,
        "inproceedings",
        more={"volume": "4881", "series": "Lecture Notes in Computer Science"},
    ),
    "Brown 2009": Reference(
        "Brown, Gavin", "Ensemble learning", "Encyclopedia of Machine Learning", 2009, "incollection"
    ),
    "Campello, Moulavi and Sander 2013": Reference(
        "Campello, Ricardo J. G. B. and Moulavi, Davoud and Sander, Joerg",
        "Density-based clustering based on hierarchical density estimates",
        "Advances in Knowledge Discovery and Data Mining (PAKDD)",
        2013,
        "inproceedings",
        doi="10.1007/978-3-642-37456-2_14",
    ),
    "Dahl, Johnson and Müller 2022": Reference(
        "Dahl, David B. and Johnson, Devin J. and Müller, Peter",
        "Search algorithms and loss functions for Bayesian clustering",
        "Journal of Computational and Graphical Statistics",
        2022,
        doi="10.1080/10618600.2022.2069779",
        more={"volume": "31", "number": "4", "pages": "1189--1201"},
    ),
    "Dudoit and Fridlyand 2003": Reference(
        "Dudoit, Sandrine and Fridlyand, Jane",
        "Bagging to improve the accuracy of a clustering procedure",
        "Bioinformatics",
        2003,
        doi="10.1093/bioinformatics/btg038",
        more={"volume": "19", "number": "9", "pages": "1090--1099"},
    ),
    "Fern and Brodley 2004": Reference(
        "Fern, Xiaoli Zhang and Brodley, Carla E.",
        "Solving cluster ensemble problems by bipartite graph partitioning",
        "Proceedings of the 21st International Conference on Machine Learning",
        2004,
        "inproceedings",
        doi="10.1145/1015330.1015414",
    ),
    "Fischer and Buhmann 2003": Reference(
        "Fischer, Bernd and Buhmann, Joachim M.",
        "Bagging for path-based clustering",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        2003,
        doi="10.1109/TPAMI.2003.1240115",
        more={"volume": "25", "number": "11", "pages": "1411--1415"},
    ),
    "Fred 2001": Reference(
        "Fred, Ana",
        "Finding consistent clusters in data partitions",
        "Multiple Classifier Systems",
        2001,
        "inproceedings",
        more={"volume": "2096", "series": "Lecture Notes in Computer Science", "pages": "309--318"},
    ),
    "Fred and Jain 2005": Reference(
        "Fred, Ana L. N. and Jain, Anil K.",
        "Combining multiple clusterings using evidence accumulation",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        2005,
        doi="10.1109/TPAMI.2005.113",
        more={"volume": "27", "number": "6", "pages": "835--850"},
    ),
    "Gionis, Mannila and Tsaparas 2007": Reference(
        "Gionis, Aristides and Mannila, Heikki and Tsaparas, Panayiotis",
        "Clustering aggregation",
        "ACM Transactions on Knowledge Discovery from Data",
        2007,
        doi="10.1145/1217299.1217303",
        more={"volume": "1", "number": "1"},
    ),
    "Grötschel and Wakabayashi 1989": Reference(
        "Grötschel, Martin and Wakabayashi, Yoshiko",
        "A cutting plane algorithm for a clustering problem",
        "Mathematical Programming",
        1989,
        doi="10.1007/BF01589097",
        more={"volume": "45", "pages": "59--96"},
    ),
    "Huang, Lai and Wang 2016": Reference(
        "Huang, Dong and Lai, Jian-Huang and Wang, Chang-Dong",
        "Robust ensemble clustering using probability trajectories",
        "IEEE Transactions on Knowledge and Data Engineering",
        2016,
        doi="10.1109/TKDE.2015.2503753",
        more={"volume": "28", "number": "5", "pages": "1312--1326"},
    ),
    "Huang, Wang and Lai 2018": Reference(
        f"{_HUANG}Lai, Jian-Huang",
        "Locally weighted ensemble clustering",
        "IEEE Transactions on Cybernetics",
        2018,
        doi="10.1109/TCYB.2017.2702343",
        more={"volume": "48", "number": "5", "pages": "1460--1473"},
    ),
    "Huang, Wang, Peng, Lai and Kwoh 2021": Reference(
        f"{_HUANG}Peng, Hongxing and Lai, Jianhuang and Kwoh, Chee-Keong",
        "Enhanced ensemble clustering via fast propagation of cluster-wise similarities",
        "IEEE Transactions on Systems, Man, and Cybernetics: Systems",
        2021,
        doi="10.1109/TSMC.2018.2876202",
        more={"volume": "51", "number": "1", "pages": "508--520"},
    ),
    "Iam-On, Boongoen, Garrett and Price 2011": Reference(
        "Iam-On, Natthakan and Boongoen, Tossapon and Garrett, Simon and Price, Chris",
        "A link-based approach to the cluster ensemble problem",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        2011,
        doi="10.1109/TPAMI.2011.84",
        more={"volume": "33", "number": "12", "pages": "2396--2409"},
    ),
    "Kellam et al. 2001": Reference(
        "Kellam, Paul and Liu, Xiaohui and Martin, Nigel and Orengo, Christine and Swift, Stephen and Tucker, Allan",
        "Comparing, contrasting and combining clusters in viral gene expression data",
        "Proceedings of the 6th Workshop on Intelligent Data Analysis in Medicine and Pharmacology",
        2001,
        "inproceedings",
    ),
    "Lancichinetti and Fortunato 2012": Reference(
        "Lancichinetti, Andrea and Fortunato, Santo",
        "Consensus clustering in complex networks",
        "Scientific Reports",
        2012,
        doi="10.1038/srep00336",
        more={"volume": "2", "pages": "336"},
    ),
    "Li, Yu, Hao and Li 2007": Reference(
        "Li, Yan and Yu, Jian and Hao, Pengwei and Li, Zhulin",
        "Clustering ensembles based on normalized edges",
        "Advances in Knowledge Discovery and Data Mining",
        2007,
        "inproceedings",
        doi="10.1007/978-3-540-71701-0_71",
        more={"volume": "4426", "series": "Lecture Notes in Computer Science", "pages": "664--671"},
    ),
    "Luo, Jing and Xie 2006": Reference(
        "Luo, Huilan and Jing, Furong and Xie, Xiaobing",
        "Combining multiple clusterings using information theory based genetic algorithm",
        "International Conference on Computational Intelligence and Security",
        2006,
        "inproceedings",
    ),
    "Nguyen and Caruana 2007": Reference(
        "Nguyen, Nam and Caruana, Rich",
        "Consensus clusterings",
        "Seventh IEEE International Conference on Data Mining",
        2007,
        "inproceedings",
        doi="10.1109/ICDM.2007.73",
        more={"pages": "607--612"},
    ),
    "Poulin and Théberge 2019": Reference(
        "Poulin, Valérie and Théberge, François",
        "Ensemble clustering for graphs",
        "Complex Networks and Their Applications VII",
        2019,
        "inproceedings",
        doi="10.1007/978-3-030-05411-3_19",
    ),
    "Singh, Mukherjee, Peng and Xu 2010": Reference(
        "Singh, Vikas and Mukherjee, Lopamudra and Peng, Jiming and Xu, Jinhui",
        "Ensemble clustering using semidefinite programming with applications",
        "Machine Learning",
        2010,
        doi="10.1007/s10994-009-5158-y",
        more={"volume": "79", "pages": "177--200"},
    ),
    "Strehl and Ghosh 2002": Reference(
        "Strehl, Alexander and Ghosh, Joydeep",
        _STREHL,
        "Journal of Machine Learning Research",
        2002,
        more={"volume": "3", "pages": "583--617"},
        doi="10.1162/153244303321897735",
    ),
    "Tandon et al. 2019": Reference(
        "Tandon, Aditya and Albeshri, Aiiad and Thayananthan, Vijey and Alhalabi, Wadee and Fortunato, Santo",
        "Fast consensus clustering in complex networks",
        "Physical Review E",
        2019,
        doi="10.1103/PhysRevE.99.042301",
        more={"volume": "99", "pages": "042301"},
    ),
    "Topchy, Jain and Punch 2003": Reference(
        "Topchy, Alexander and Jain, Anil K. and Punch, William",
        "Combining multiple weak clusterings",
        "Third IEEE International Conference on Data Mining",
        2003,
        "inproceedings",
        doi="10.1109/ICDM.2003.1250937",
        more={"pages": "331--338"},
    ),
    "Topchy, Jain and Punch 2004": Reference(
        "Topchy, Alexander and Jain, Anil K. and Punch, William",
        "A mixture model for clustering ensembles",
        "Proceedings of the 2004 SIAM International Conference on Data Mining",
        2004,
        "inproceedings",
        doi="10.1137/1.9781611972740.35",
        more={"pages": "379--390"},
    ),
    "Traag, Waltman and van Eck 2019": Reference(
        "Traag, Vincent A. and Waltman, Ludo and van Eck, Nees Jan",
        "From Louvain to Leiden: guaranteeing well-connected communities",
        "Scientific Reports",
        2019,
        doi="10.1038/s41598-019-41695-z",
        more={"volume": "9", "pages": "5233"},
    ),
    "Wade and Ghahramani 2018": Reference(
        "Wade, Sara and Ghahramani, Zoubin",
        "Bayesian cluster analysis: point estimation and credible balls (with discussion)",
        "Bayesian Analysis",
        2018,
        doi="10.1214/17-BA1073",
        more={"volume": "13", "number": "2", "pages": "559--626"},
    ),
    "Yang 2017": Reference(
        "Yang, Yun", "Temporal data mining via unsupervised ensemble learning", "Elsevier", 2017, "book"
    ),
    "Yang and Chen 2011": Reference(
        "Yang, Yun and Chen, Ke",
        "Temporal data clustering via weighted clustering ensemble with different representations",
        "IEEE Transactions on Knowledge and Data Engineering",
        2011,
        doi="10.1109/TKDE.2010.112",
        more={"volume": "23", "number": "2", "pages": "307--320"},
    ),
}
